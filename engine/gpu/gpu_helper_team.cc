#include "engine/gpu/gpu_helper_team.h"

#include "common/check.h"
#include "engine/plan/vertex_shares.h"

namespace edgemill {

GpuHelperTeam::GpuHelperTeam(GpuHelper& helper, GpuSide& main, const CompiledProgram& program)
    : helper_(helper),
      side_(helper.side()),
      main_(main),
      program_(program.ref),
      pass_(workspace(), program.ref.traits, program.kernels),
      tallies_(workspace(), program.ref) {}

StatusOr<const uint32_t*> GpuHelperTeam::Senders(MainTeam& main_team) {
  const GraphInfo& info = workspace().graph().info();
  if (main_team.alone().active().vertices == info.num_vertices) {
    return static_cast<const uint32_t*>(nullptr);
  }
  uint32_t* const senders = arrays().sets.current;
  RETURN_IF_ERROR(
      side_.home->CopyFrom(*main_.home, reinterpret_cast<std::byte*>(main_.arrays().sets.current),
                           reinterpret_cast<std::byte*>(senders), DeviceSets::SetBytes(info)));
  return static_cast<const uint32_t*>(senders);
}

Status GpuHelperTeam::Begin(const void* program, const SharedPass& pass, size_t team,
                            MainTeam& main_team) {
  CHECK(pass.by_vertex && team < pass.shares.size());
  CHECK(pass.shares[team].lists == helper_.lists());
  const GpuScope scope(side_.gpu());
  shown_ = program;
  mode_ = pass.mode;
  GpuStream& stream = workspace().main();
  const uint64_t set_bytes = DeviceSets::SetBytes(workspace().graph().info());
  ASSIGN_OR_RETURN(const uint32_t* const from, Senders(main_team));
  RETURN_IF_ERROR(stream.Fill(arrays().sets.next, 0, set_bytes));
  pass_.ForgetClosed();  // vertices of other GPUs have changed
  RETURN_IF_ERROR(pass_.Close(program));
  RETURN_IF_ERROR(pass_.Consume(program, from));
  // Every GPU consumes the same in its copy. Only the main one's tallies of that count.
  RETURN_IF_ERROR(tallies_.Clear());
  ASSIGN_OR_RETURN(launch_, pass_.Prepare(program, mode_, from));
  if (mode_ == Mode::kPull && !pass_.traits().applies_to_all) {
    launch_.touched = arrays().sets.touched;
    RETURN_IF_ERROR(stream.Fill(launch_.touched, 0, set_bytes));
  }
  launch_.first_list = static_cast<VertexId>(helper_.lists().begin);
  launch_.num_lists = static_cast<VertexId>(helper_.lists().size());
  return mode_ == Mode::kPush ? BeginLog() : OkStatus();
}

Status GpuHelperTeam::BeginLog() {
  launch_.logs = true;
  launch_.sums = arrays().sums.sums;
  launch_.received = arrays().sets.received;
  const uint64_t set_bytes = DeviceSets::SetBytes(workspace().graph().info());
  RETURN_IF_ERROR(workspace().main().Fill(launch_.received, 0, set_bytes));
  arrays().sums.AreOf(nullptr);                       // they are no identities afterwards
  if (pass_.traits().takes_first) return OkStatus();  // the first message is written, not added
  pass_.kernels().clear_sums(launch_, {workspace().Grids(), workspace().main().handle()});
  return side_.gpu().AfterLaunch("clear sums");
}

StatusOr<bool> GpuHelperTeam::Queue() {
  queued_ = pass_.OnlyQueues(mode_, launch_.from == nullptr, helper_.lists());
  if (!queued_) return false;
  const GpuScope scope(side_.gpu());
  RETURN_IF_ERROR(Visit());
  return true;
}

Status GpuHelperTeam::Visit() {
  ASSIGN_OR_RETURN(const DeviceCells* const cells,
                   pass_.CellsFor(mode_, launch_.from == nullptr, helper_.lists()));
  edges_in_cells_ = 0;
  if (cells != nullptr) {
    edges_in_cells_ = EdgesOfLists(workspace().graph(), pass_.pull_lists()[0], helper_.lists());
    return pass_.PullByCells(shown_, launch_, *cells);
  }
  const PassBlocks blocks = BlocksOfLists(workspace().graph(), helper_.lists());
  return mode_ == Mode::kPush ? pass_.Push(shown_, launch_, {}, blocks)
                              : pass_.Pull(shown_, launch_, blocks);
}

Status GpuHelperTeam::Work(MainTeam& main_team) {
  const GpuScope scope(side_.gpu());
  if (!queued_) RETURN_IF_ERROR(Visit());
  RETURN_IF_ERROR(workspace().main().Synchronize());
  if (mode_ != Mode::kPush) return OkStatus();
  return static_cast<GpuTeam&>(main_team).ReceiveSums(side_, launch_.received, launch_.sums);
}

Status GpuHelperTeam::Take(std::span<const std::byte>) {
  if (mode_ == Mode::kPush) return OkStatus();
  const GpuScope scope(side_.gpu());
  if (edges_in_cells_ > 0)
    return tallies_.ReadInto(program_);  // its vertices have taken their sums
  launch_.first_vertex = static_cast<VertexId>(helper_.lists().begin);
  launch_.num_vertices = helper_.lists().end;
  RETURN_IF_ERROR(pass_.Take(shown_, mode_, launch_));
  return tallies_.ReadInto(program_);
}

Status GpuHelperTeam::GiveActive(MainTeam&) {
  const VertexRange& own = helper_.lists();
  CHECK_EQ(own.begin % 64, 0u);  // no word has vertices of two GPUs
  const uint64_t first = own.begin / 8, end = (own.end + 63) / 64 * 8;
  const auto words = [&](const GpuSide& side) {
    return reinterpret_cast<std::byte*>(side.arrays().sets.next) + first;
  };
  return main_.home->CopyFrom(*side_.home, words(side_), words(main_), end - first);
}

Status GpuHelperTeam::Report(Mode, Recorder* recorder) {
  const GpuScope scope(side_.gpu());
  RETURN_IF_ERROR(workspace().ReadCounters().status());  // also waits, and finds damage
  ASSIGN_OR_RETURN(const TransferAccounts accounts, helper_.DrainAccounts(&recorder->timeline()));
  recorder->AddTransfers(accounts);
  if (edges_in_cells_ > 0) recorder->AddEdgesInMemory(edges_in_cells_);
  return OkStatus();
}

}  // namespace edgemill
