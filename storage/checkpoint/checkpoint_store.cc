#include "storage/checkpoint/checkpoint_store.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "common/strings.h"
#include "storage/catalog/data_directory.h"

namespace edgemill {
namespace {

constexpr std::string_view kSuffix = ".checkpoint";
constexpr std::string_view kTemporary = ".checkpoint.new";
constexpr std::string_view kNoted = "checkpoint-directories";
constexpr size_t kMaxNotedBytes = size_t{1} << 20;

std::string NotedPath(const std::string& graph_path) {
  return StrCat(OwnCheckpointDirectory(graph_path), "/", kNoted);
}

/// The checkpoints in a directory, of any run; none where there is no directory.
StatusOr<std::vector<std::string>> PathsIn(const std::string& directory, std::string_view prefix,
                                           bool temporary = false) {
  std::vector<std::string> paths;
  ASSIGN_OR_RETURN(const bool exists, Exists(directory));
  if (!exists) return paths;
  ASSIGN_OR_RETURN(const std::vector<std::string> names, ListDirectory(directory));
  for (const std::string& name : names) {
    const bool fits = name.ends_with(kSuffix) || (temporary && name.ends_with(kTemporary));
    if (fits && name.starts_with(prefix)) paths.push_back(StrCat(directory, "/", name));
  }
  return paths;
}

}  // namespace

CheckpointStore::CheckpointStore(std::string directory, CheckpointIdentity identity)
    : directory_(WithoutTrailingSlashes(std::move(directory))), identity_(std::move(identity)) {}

std::string CheckpointStore::PathOf(uint64_t sequence) const {
  const std::string text = identity_.Text();
  const uint64_t hash = Checksum64(std::as_bytes(std::span(text)));
  return StrCat(directory_, "/", identity_.graph.ToString(), ".",
                identity_.graph.Derive(hash).ToString(), ".", sequence % 2, kSuffix);
}

std::string CheckpointStore::TemporaryPath() const {
  const std::string path = PathOf(0);
  return StrCat(path.substr(0, path.size() - kSuffix.size() - 2), kTemporary);
}

Status CheckpointStore::Prepare() const { return MakeDirectories(directory_); }

StatusOr<CheckpointReader> CheckpointStore::NoneOfThisRun() const {
  ASSIGN_OR_RETURN(const std::vector<std::string> paths, PathsIn(directory_, ""));
  for (const std::string& path : paths) {
    const auto other = CheckpointReader::Open(path);
    if (!other.ok()) continue;
    return UsageError(StrCat(directory_, " has a checkpoint of ", other->table().identity.Text(),
                             ", not of ", identity_.Text(),
                             ": give the same algorithm, graph and parameters"));
  }
  return MissingError(StrCat(directory_, " has no checkpoint of ", identity_.Text(),
                             ": leave --resume out to start from the beginning"));
}

StatusOr<CheckpointReader> CheckpointStore::OpenNewest(int threads,
                                                       std::vector<std::string>* said) const {
  std::vector<CheckpointReader> sound;
  std::string damage;
  const auto note = [&](const Status& status) {
    damage += StrCat(damage.empty() ? "" : "; ", status.message());
  };
  for (const uint64_t generation : {0, 1}) {
    const std::string path = PathOf(generation);
    ASSIGN_OR_RETURN(const bool exists, Exists(path));
    if (!exists) continue;
    auto reader = CheckpointReader::Open(path);
    if (!reader.ok()) {
      note(reader.status());
    } else if (reader->table().identity != identity_) {
      note(BadDataError(StrCat(path, " is of ", reader->table().identity.Text())));
    } else {
      sound.push_back(*std::move(reader));
    }
  }
  std::sort(sound.begin(), sound.end(),
            [](const auto& a, const auto& b) { return a.table().sequence > b.table().sequence; });
  for (const CheckpointReader& reader : sound) {
    auto whole = CheckpointReader::OpenWhole(reader.path(), threads);
    if (!whole.ok()) {
      if (whole.status().code() == Code::kCancelled) return whole.status();
      note(whole.status());
      continue;
    }
    if (!damage.empty()) {
      said->push_back(StrCat("going on from the other checkpoint, after ", whole->table().passes,
                             " passes: ", damage));
    }
    return whole;
  }
  if (damage.empty()) return NoneOfThisRun();
  return BadDataError(StrCat("no checkpoint of ", identity_.Text(), " can be read: ", damage,
                             ": leave --resume out to start from the beginning"));
}

StatusOr<File> CheckpointStore::Create() const {
  return File::OpenAlone(TemporaryPath(), /*wait=*/false);
}

Status CheckpointStore::Commit(const File& file, uint64_t sequence) const {
  fault::KillPoint("checkpoint.written");
  Status status = file.Sync();
  if (status.ok()) status = RenameFile(TemporaryPath(), PathOf(sequence));
  if (!status.ok()) {
    Abandon();
    return status;
  }
  fault::KillPoint("checkpoint.renamed");
  return SyncDirectory(directory_);
}

void CheckpointStore::Abandon() const {
  RemoveFile(TemporaryPath()).ok();  // it may be gone already, and nothing reads it
}

Status CheckpointStore::Remove() const {
  for (const std::string& path : {PathOf(0), PathOf(1), TemporaryPath()}) {
    ASSIGN_OR_RETURN(const bool exists, Exists(path));
    if (exists) RETURN_IF_ERROR(RemoveFile(path));
  }
  return OkStatus();
}

std::string OwnCheckpointDirectory(const std::string& graph_path) {
  return StrCat(WithoutTrailingSlashes(graph_path), "/", kRunsName);
}

StatusOr<std::vector<std::string>> NotedCheckpointDirectories(const std::string& graph_path) {
  std::vector<std::string> directories;
  const std::string path = NotedPath(graph_path);
  ASSIGN_OR_RETURN(const bool exists, Exists(path));
  if (!exists) return directories;
  ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(path, kMaxNotedBytes));
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    if (end > begin) directories.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return directories;
}

Status NoteCheckpointDirectory(const std::string& graph_path, const std::string& directory) {
  std::error_code error;
  const std::string absolute = std::filesystem::absolute(directory, error).lexically_normal();
  if (error || absolute.find('\n') != std::string::npos) {
    return UsageError(StrCat(directory, ": cannot be noted as a directory of checkpoints"));
  }
  ASSIGN_OR_RETURN(std::vector<std::string> noted, NotedCheckpointDirectories(graph_path));
  if (std::find(noted.begin(), noted.end(), absolute) != noted.end()) return OkStatus();
  noted.push_back(absolute);
  std::string text;
  for (const std::string& line : noted) text += StrCat(line, "\n");
  RETURN_IF_ERROR(MakeDirectory(OwnCheckpointDirectory(graph_path)));
  return WriteFileAtomically(NotedPath(graph_path), text);
}

StatusOr<std::vector<FoundCheckpoint>> FindCheckpoints(const std::string& graph_path,
                                                       const Uuid& graph) {
  std::vector<FoundCheckpoint> found;
  ASSIGN_OR_RETURN(std::vector<std::string> directories, NotedCheckpointDirectories(graph_path));
  directories.insert(directories.begin(), OwnCheckpointDirectory(graph_path));
  for (const std::string& directory : directories) {
    ASSIGN_OR_RETURN(const std::vector<std::string> paths, PathsIn(directory, graph.ToString()));
    for (const std::string& path : paths) {
      FoundCheckpoint& checkpoint = found.emplace_back(FoundCheckpoint{.path = path});
      ASSIGN_OR_RETURN(checkpoint.bytes, RegularFileBytes(path));
      const auto reader = CheckpointReader::Open(path);
      if (reader.ok()) {
        checkpoint.run = reader->table().identity.Text();
        checkpoint.passes = reader->table().passes;
      } else {
        checkpoint.damage = reader.status().message();
      }
    }
  }
  return found;
}

Status RemoveCheckpointsIn(const std::vector<std::string>& directories, const Uuid& graph) {
  for (const std::string& directory : directories) {
    ASSIGN_OR_RETURN(const std::vector<std::string> paths,
                     PathsIn(directory, graph.ToString(), /*temporary=*/true));
    for (const std::string& path : paths) RETURN_IF_ERROR(RemoveFile(path));
  }
  return OkStatus();
}

}  // namespace edgemill
