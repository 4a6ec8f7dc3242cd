// The promises of commands that are stopped, are killed or fail at any file operation. The old
// graph or the new one is there, whole. An answer is whole or absent. The same command again, or
// the command that the error names, finishes the work. Nothing is left behind.
//
// Each command runs once to count its operations of each kind. Then it runs once for each operation
// and each way of failing. By default a sample of these cases is run; EDGEMILL_TEST_ALL=1 runs
// all, and EDGEMILL_TEST_SEED=N draws another sample.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "common/random.h"
#include "common/strings.h"
#include "engine/output/scrub.h"
#include "storage/read/block_reader.h"
#include "storage/read/graph_store.h"
#include "test/end_to_end/injected_fault.h"
#include "test/end_to_end/own_program.h"
#include "test/temporary_directory.h"

namespace edgemill {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr const char* kKindNames[kNumFaultKinds] = {
    "open",   "list",     "stat",   "read",  "write",      "fsync",       "truncate",
    "rename", "exchange", "unlink", "mkdir", "kill point", "block access"};

/// Cases of each command in a sample.
constexpr size_t kSample = 12;

/// A command, and the state before and after it.
struct Promise {
  std::string name;
  std::vector<Words> before;  // commands that make the state before it
  Words words;
  uint64_t old_edges = 0;  // of g.mill before it; 0: there is none
  uint64_t new_edges = 0;  // after it
  Words answers;           // files that it writes, the same each time
  bool resumes_verify = false;
};

void PrintTo(const Promise& promise, std::ostream* out) { *out << promise.name; }

std::vector<Promise> Promises() {
  const Words path = {"generate", "path", "g.mill", "--vertices", "9"};
  const Words path_elsewhere = {"generate", "path",   "g.mill", "--vertices",
                                "9",        "--data", "blocks"};
  const Words list = {"ingest", "sparse.el", "g.mill"};
  return {
      {"Generate", {}, {"generate", "star", "g.mill", "--vertices", "20"}, 0, 38},
      {"GenerateReplace",
       {path_elsewhere},
       {"generate", "star", "g.mill", "--vertices", "20", "--data", "blocks", "--replace"},
       16,
       38},
      {"Ingest", {}, {"ingest", "sparse.el", "g.mill", "--data", "blocks"}, 0, 5},
      {"IngestReplace", {path}, {"ingest", "sparse.el", "g.mill", "--replace"}, 16, 5},
      {"Remove", {path_elsewhere}, {"remove", "g.mill"}, 16, 0},
      {"VerifyResume", {path}, {"verify", "g.mill", "--resume"}, 16, 16, {}, true},
      {"RunOutput",
       {path},
       {"run", "cc", "g.mill", "--output", "cc.tsv", "--report", "cc.html"},
       16,
       16,
       {"cc.tsv"}},
      {"RunOutputIds",
       {list},
       {"run", "cc", "g.mill", "--output", "cc.npy"},
       5,
       5,
       {"cc.npy", "cc.ids.npy"}},
      {"BenchScales",
       {},
       {"bench", "scales", "--from", "1", "--to", "1", "-n", "1", "--plot", "scales.svg"}},
  };
}

/// A folder in memory if there is one, because syncs of a disk take long. A kill loses no written
/// data there.
fs::path Parent() {
  const fs::path memory = "/dev/shm";
  return access(memory.c_str(), W_OK | X_OK) == 0 ? memory : fs::temp_directory_path();
}

/// How a process ended.
struct Ended {
  int code = -1;  // exit code; -1: killed by `signal`
  int signal = 0;
  std::string error;  // what it wrote to standard error
};

std::string Contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string Text(const InjectedFault& fault) {
  std::string text = StrCat(kKindNames[fault.kind], " ", fault.n);
  switch (fault.mode) {
    case FaultMode::kNone:
      return "no fault";
    case FaultMode::kOnce:
      return StrCat(text, " fails with errno ", fault.error);
    case FaultMode::kFromThenOn:
      return StrCat(text, " and all later ones fail with errno ", fault.error);
    case FaultMode::kInterrupt:
      return StrCat("SIGINT before ", text);
    case FaultMode::kKill:
      return StrCat("SIGKILL before ", text);
  }
  return text;
}

/// Every way in which the nth operation of a kind may go wrong.
std::vector<InjectedFault> FaultsOf(int kind, uint32_t n) {
  std::vector<InjectedFault> faults = {{kind, n, FaultMode::kInterrupt},
                                       {kind, n, FaultMode::kKill}};
  if (kind == static_cast<int>(fault::Op::kKillPoint)) return faults;
  std::vector<int> errors = {EIO, ENOSPC};
  if (kind == static_cast<int>(fault::Op::kOpen) || kind == static_cast<int>(fault::Op::kList)) {
    errors = {EIO, EMFILE, ENOMEM};
  }
  if (kind == static_cast<int>(fault::Op::kStat)) errors = {EIO};
  if (kind == static_cast<int>(fault::Op::kRead)) errors = {EIO};
  if (kind == static_cast<int>(fault::Op::kRemove)) errors = {EIO};
  for (const int error : errors) faults.push_back({kind, n, FaultMode::kOnce, error});
  faults.push_back({kind, n, FaultMode::kFromThenOn, errors[n % errors.size()]});
  return faults;
}

/// Returns the command that `error` advises instead of `words`.
Words Advised(const Words& words, std::string_view error) {
  const auto says = [&](std::string_view text) { return error.find(text) != error.npos; };
  const auto without = [](Words from, std::string_view option) {
    std::erase(from, option);
    return from;
  };
  const auto with = [](Words to, std::string_view option) {
    to.emplace_back(option);
    return to;
  };
  if (says("without --resume")) return without(words, "--resume");
  if (says("start over with --replace")) return with(without(words, "--resume"), "--replace");
  if (says("the same command with --resume") || says("go on with --resume")) {
    return with(without(without(words, "--replace"), "--resume"), "--resume");
  }
  if (says("--force")) return with(without(words, "--force"), "--force");
  return words;
}

class PromiseTest : public testing::TestWithParam<Promise> {
 protected:
  void SetUp() override {
    shared_ = MapSharedFault(root_ / "shared-fault");
    ASSERT_NE(shared_, nullptr);
    Prepare();
    ASSERT_FALSE(HasFailure());
    fs::copy(place_, template_, fs::copy_options::recursive);
    Counts();
  }

  /// Makes the state before the command.
  void Prepare();
  /// Runs the command without a fault. Records what it leaves and how many operations it has.
  void Counts();
  Ended Run(const Words& words, const InjectedFault& fault = {});
  /// All paths in the place except files of catalogs, with one name for all uuids.
  std::vector<std::string> Listing() const;
  /// The number of edges of g.mill; nullopt if it cannot be opened. The test fails if the graph has
  /// faults.
  std::optional<uint64_t> Edges();
  /// Returns "" if the promises allow the state after the command's first end, or what is wrong.
  std::string CheckBetween(const Ended& first);
  /// Returns "" if the command has done its work and left nothing else, or what is wrong.
  std::string CheckAfter();
  /// Whether one of the files that the command writes is there.
  bool HasAnswer() const;
  /// Runs commands as a user does until the work is done. If `resumes`, --resume replaces --replace
  /// in the first one. Returns "" or what is wrong.
  std::string FinishWork(const Ended& first, bool resumes);
  /// Runs the command with one fault. Returns false if it has no such operation.
  bool RunWithFault(const InjectedFault& fault);

  const TemporaryDirectory root_{Parent()};
  const std::string place_ = root_ / "place";
  const std::string template_ = root_ / "template";
  SharedFault* shared_ = nullptr;
  std::vector<uint32_t> calls_;       // operations of each kind
  std::vector<std::string> leaves_;   // the paths in the place at the end
  std::vector<std::string> answers_;  // contents of GetParam().answers
};

Ended PromiseTest::Run(const Words& words, const InjectedFault& fault) {
  Words all = {"edgemill", kAsProgram};
  all.insert(all.end(), words.begin(), words.end());
  const bool bounded = words[0] != "remove";
  if (bounded) all.insert(all.end(), {"--threads", "1", "--memory", "64MiB"});
  all.insert(all.end(), {"--json", "report.json"});
  std::vector<char*> arguments;
  for (std::string& word : all) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  shared_->Start(fault);
  setenv(kSharedFaultVariable, (root_ / "shared-fault").c_str(), 1);
  const std::string error_path = root_ / "error";
  const pid_t child = fork();
  if (child == 0) {
    const int nothing = open("/dev/null", O_RDWR);
    const int error = open(error_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (dup2(nothing, 0) < 0 || dup2(nothing, 1) < 0 || dup2(error, 2) < 0) _exit(126);
    if (chdir(place_.c_str()) != 0) _exit(126);
    execv("/proc/self/exe", arguments.data());
    _exit(127);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  Ended ended;
  if (WIFEXITED(status)) ended.code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
  ended.error = Contents(error_path);
  return ended;
}

void PromiseTest::Prepare() {
  fs::create_directory(place_);
  root_.Write("place/sparse.el", "7 1000\n1000 123456789\n7 7\n5 7\n5 7\n");
  for (const Words& words : GetParam().before) {
    const Ended ended = Run(words);
    ASSERT_EQ(ended.code, 0) << ended.error;
  }
  if (GetParam().resumes_verify) {
    constexpr int kMakesRuns = static_cast<int>(fault::Op::kMakeDirectory);
    const Ended ended = Run({"verify", "g.mill"}, {kMakesRuns, 1, FaultMode::kInterrupt});
    ASSERT_EQ(ended.code, 130) << ended.error;
    ASSERT_TRUE(fs::exists(place_ + "/g.mill/runs/verify.json"));
  }
}

void PromiseTest::Counts() {
  const Ended ended = Run(GetParam().words);
  ASSERT_EQ(ended.code, 0) << ended.error;
  calls_.assign(shared_->calls.begin(), shared_->calls.end());
  leaves_ = Listing();
  for (const std::string& answer : GetParam().answers) {
    answers_.push_back(Contents(place_ + "/" + answer));
    ASSERT_FALSE(answers_.back().empty());
  }
  ASSERT_EQ(CheckAfter(), "");
}

std::vector<std::string> PromiseTest::Listing() const {
  std::vector<std::string> names;
  for (auto it = fs::recursive_directory_iterator(place_); it != fs::end(it); ++it) {
    fs::path name;
    for (const fs::path& part : it->path().lexically_relative(place_)) {
      name /= Uuid::Parse(part.native()).ok() ? fs::path("UUID") : part;
    }
    names.push_back(name.native());
    if (it->path().filename() == "catalog") it.disable_recursion_pending();
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<uint64_t> PromiseTest::Edges() {
  const std::string path = place_ + "/g.mill";
  MemoryBudget budget(uint64_t{64} << 20);
  Progress progress;
  StatusOr<std::unique_ptr<GraphStore>> store = GraphStore::Open(path, {}, budget);
  if (!store.ok()) return std::nullopt;
  StatusOr<std::unique_ptr<BlockReader>> reader = BlockReader::Create(**store, {}, budget);
  EXPECT_TRUE(reader.ok()) << reader.status().message();
  if (!reader.ok()) return std::nullopt;
  Scrub scrub({**store, **reader, 1, budget, progress}, "", {});
  const Status status = scrub.Run();
  EXPECT_TRUE(status.ok()) << status.message();
  const Status identity = scrub.CheckIdentity();
  EXPECT_TRUE(identity.ok()) << identity.message();
  for (const std::string& fault : scrub.state().faults) ADD_FAILURE() << fault;
  return (*store)->info().num_edges;
}

bool PromiseTest::HasAnswer() const {
  const Words& answers = GetParam().answers;
  return std::any_of(answers.begin(), answers.end(),
                     [&](const std::string& name) { return fs::exists(place_ + "/" + name); });
}

std::string PromiseTest::CheckBetween(const Ended& first) {
  const Promise& promise = GetParam();
  const std::optional<uint64_t> edges = Edges();
  const bool is_old = edges.value_or(0) == promise.old_edges;
  const bool is_new = edges.value_or(0) == promise.new_edges;
  // After a removal has begun, no graph can be opened.
  if (!is_old && !is_new) {
    return StrCat("neither the old graph nor the new one: ", edges.value_or(0), " edges");
  }
  if (first.code == 0 && !is_new) return "done, and the graph is the old one";
  const bool says_unfinished = first.error.find("unfinished") != std::string::npos;
  if (!is_old && is_new && says_unfinished) return "a whole graph is called unfinished";
  for (size_t i = 0; i < answers_.size(); ++i) {
    const std::string path = place_ + "/" + promise.answers[i];
    if (fs::exists(path) ? Contents(path) != answers_[i] : first.code == 0) {
      return StrCat(promise.answers[i], " is neither whole nor absent");
    }
  }
  const bool reported = first.code <= 0 || first.error.find("whole in") != std::string::npos ||
                        first.error.find("all but this report is done") != std::string::npos;
  if (!reported && HasAnswer()) return "an answer is there, and the error does not say so";
  if (first.code < 0) return first.signal == SIGKILL ? "" : StrCat("signal ", first.signal);
  if (first.code == 0) return "";
  const bool known = first.code == 65 || first.code == 66 || first.code == 71 || first.code == 73 ||
                     first.code == 74 || first.code == 76 || first.code == 130;
  return known ? "" : StrCat("exit code ", first.code);
}

std::string PromiseTest::CheckAfter() {
  const Promise& promise = GetParam();
  if (const uint64_t edges = Edges().value_or(0); edges != promise.new_edges) {
    return StrCat(edges, " edges in the end");
  }
  for (size_t i = 0; i < answers_.size(); ++i) {
    if (Contents(place_ + "/" + promise.answers[i]) != answers_[i]) {
      return StrCat("another ", promise.answers[i]);
    }
  }
  const std::vector<std::string> names = Listing();
  std::string difference;
  for (const std::string& name : names) {
    if (!std::binary_search(leaves_.begin(), leaves_.end(), name)) difference += " +" + name;
  }
  for (const std::string& name : leaves_) {
    if (!std::binary_search(names.begin(), names.end(), name)) difference += " -" + name;
  }
  return difference.empty() ? "" : "left in the end:" + difference;
}

std::string PromiseTest::FinishWork(const Ended& first, bool resumes) {
  const Promise& promise = GetParam();
  const bool removes = promise.new_edges == 0 && promise.old_edges > 0;
  const bool has_answers =
      std::all_of(promise.answers.begin(), promise.answers.end(),
                  [&](const std::string& name) { return fs::exists(place_ + "/" + name); });
  Words words = Advised(promise.words, first.error);
  if (resumes)
    std::replace(words.begin(), words.end(), std::string("--replace"), std::string("--resume"));
  std::string said;
  for (int tries = 0; tries < 4; ++tries) {
    const Ended ended = Run(words);
    for (const std::string& word : words) said += word + " ";
    said += StrCat("-> ", ended.code, ": ", ended.error);
    if (ended.code == 0) return CheckAfter();
    // The work was done already if its graph is there, or is gone after a removal.
    const bool done = removes ? ended.code == 66 && !fs::exists(place_ + "/g.mill")
                              : ended.code == 73 && promise.old_edges == 0 &&
                                    (ended.error.find("graph already") != std::string::npos ||
                                     ended.error.find("whole graph") != std::string::npos);
    if (done) return CheckAfter();
    Words next = Advised(promise.words, ended.error);
    if (tries == 0 && words != promise.words && first.code > 0) break;  // as its error says
    if (next == words || (next.back() == "--force" && !has_answers)) break;
    words = std::move(next);
  }
  return "cannot be ended: " + said;
}

bool PromiseTest::RunWithFault(const InjectedFault& fault) {
  fs::remove_all(place_);
  fs::copy(template_, place_, fs::copy_options::recursive);
  const Ended first = Run(GetParam().words, fault);
  const bool hit = shared_->hit;
  const bool resumes = fault.mode == FaultMode::kKill && fault.n % 2 == 1;
  std::string wrong = CheckBetween(first);
  if (wrong.empty()) wrong = first.code == 0 ? CheckAfter() : FinishWork(first, resumes);
  EXPECT_EQ(wrong, "") << Text(fault) << ": first ended with " << first.code << ": " << first.error;
  return hit;
}

TEST_P(PromiseTest, IsKeptWhereverTheCommandIsStoppedOrFails) {
  std::vector<InjectedFault> cases;
  std::string counts;
  uint32_t operations = 0;
  for (int kind = 0; kind < kNumFaultKinds; ++kind) {
    for (uint32_t n = 1; n <= calls_[kind]; ++n) {
      for (const InjectedFault& fault : FaultsOf(kind, n)) cases.push_back(fault);
    }
    if (calls_[kind] == 0) continue;
    counts += StrCat(counts.empty() ? "" : ", ", calls_[kind], " ", kKindNames[kind]);
    operations += calls_[kind];
  }
  const size_t all = cases.size();
  const bool run_all = std::getenv("EDGEMILL_TEST_ALL") != nullptr;
  if (!run_all) {
    const char* const text = std::getenv("EDGEMILL_TEST_SEED");
    uint64_t seed = 27;
    ASSERT_TRUE(text == nullptr || ParseNumber(text, &seed)) << text;
    Random random(seed);
    for (size_t i = 0; i < kSample; ++i) std::swap(cases[i], cases[i + random.Below(all - i)]);
    cases.resize(kSample);
  }
  size_t met = 0;
  for (const InjectedFault& fault : cases) met += RunWithFault(fault);
  EXPECT_GE(met, cases.size() * 9 / 10);  // RocksDB's threads may have fewer operations
  // Checks also whether a run has more operations than the run that counted them.
  for (int kind = 0; run_all && kind < kNumFaultKinds; ++kind) {
    for (uint32_t n = calls_[kind] + 1; RunWithFault(FaultsOf(kind, n).back()); ++n) ++met;
  }
  std::cout << GetParam().name << ": " << operations << " operations (" << counts << "), " << all
            << " cases, " << met << " met\n";
}

/// If the system lacks memory to open a file, the graph is not damaged. --memory is not too small
/// either, so no other way of opening is tried.
TEST_P(PromiseTest, IsKeptWhereFilesCannotBeOpenedForWantOfMemory) {
  constexpr int kOpens = static_cast<int>(fault::Op::kOpen);
  if (GetParam().words[0] != "run") return;  // the test above samples the others
  uint32_t met = 0;
  for (uint32_t n = 1; n <= calls_[kOpens]; ++n) {
    met += RunWithFault({kOpens, n, FaultMode::kOnce, ENOMEM});
  }
  EXPECT_GT(met, 5u);
}

INSTANTIATE_TEST_SUITE_P(Commands, PromiseTest, testing::ValuesIn(Promises()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace edgemill
