// What PageRank does to each vertex between passes over edges.
#pragma once

#include <cstdint>

#include "bench/plain/plain_algorithms.h"
#include "bench/rivals/raw_kernels.cuh"

namespace edgemill::bench {

struct RankState {
  const uint64_t* offsets;  // of out-lists
  uint64_t num_vertices;
  float* rank;
  float* contribution;  // by deltas: what is sent along each edge
  float* sum;           // by deltas: the residual

  __device__ uint64_t degree(uint64_t vertex) const {
    return offsets[vertex + 1] - offsets[vertex];
  }
};

/// Sets rank = base + damping * sum, or 1 / V the first time. Also clears sum and sets the
/// contributions. `*before` is the rank of dangling vertices until now, and `*after` gets the new
/// one.
static __global__ void RanksKernel(RankState state, bool first, const double* before,
                                   double* after) {
  const double vertices = static_cast<double>(state.num_vertices);
  const double base = (1 - kDamping + kDamping * *before) / vertices;
  double mine = 0;
  for (uint64_t i = ThreadNumber(); i < state.num_vertices; i += NumThreads()) {
    const float rank =
        static_cast<float>(first ? 1 / vertices : base + kDamping * double{state.sum[i]});
    const uint64_t degree = state.degree(i);
    state.rank[i] = rank;
    state.sum[i] = 0;
    state.contribution[i] = degree == 0 ? 0.0f : rank / static_cast<float>(degree);
    if (degree == 0) mine += rank;
  }
  AddToTotal(mine, after);
}

/// Adds the residuals of active vertices to their ranks, and sets what these vertices send.
static __global__ void TakeResidualsKernel(RankState state, RawLists lists) {
  for (uint64_t i = ThreadNumber(); i < lists.num_items; i += NumThreads()) {
    const uint64_t vertex = VertexOf(lists, ItemAt(lists, i));
    const float taken = state.sum[vertex];
    state.sum[vertex] = 0;
    state.rank[vertex] += taken;
    const uint64_t degree = state.degree(vertex);
    state.contribution[vertex] =
        degree == 0 ? 0.0f : static_cast<float>(kDamping * taken / static_cast<double>(degree));
  }
}

/// Adds up all residuals in totals[0], and all ranks in totals[1].
static __global__ void MeasureKernel(RankState state, double* totals) {
  double residual = 0, rank = 0;
  for (uint64_t i = ThreadNumber(); i < state.num_vertices; i += NumThreads()) {
    residual += state.sum[i];
    rank += state.rank[i];
  }
  AddToTotal(residual, &totals[0]);
  AddToTotal(rank, &totals[1]);
}

static __global__ void ScaleRanksKernel(RankState state, float factor) {
  for (uint64_t i = ThreadNumber(); i < state.num_vertices; i += NumThreads()) {
    state.rank[i] = (state.rank[i] + state.sum[i]) * factor;
  }
}

}  // namespace edgemill::bench
