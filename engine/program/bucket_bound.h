// The bucket that a Bucketed empties now. The same arithmetic runs on the host and on a GPU.
#pragma once

#include <algorithm>
#include <cmath>

#include "common/types.h"
#include "engine/program/operator_types.h"
#include "kernels/portable_atomics.h"

namespace edgemill {

class BucketBound {
 public:
  BucketBound() = default;
  explicit BucketBound(const Buckets& buckets) : buckets_(buckets), width_(buckets.width) {}
  /// Of operators without buckets: all priorities are below it, and no vertex waits.
  static BucketBound None() {
    BucketBound none;
    none.bound_ = kNoBound;
    return none;
  }

  /// Priorities below it are in the bucket.
  EM_HOST_DEVICE double bound() const { return bound_; }
  EM_HOST_DEVICE void CountStartEdges(EdgeIndex edges) {
    // The first bucket holds only the vertices that the driver gave: its size is not typical.
    if (buckets_done_++ > 0) first_edges_ = edges;
    later_edges_ = 0;
  }
  EM_HOST_DEVICE void CountLaterEdges(EdgeIndex edges) { later_edges_ += edges; }
  /// Moves the bound past the bucket that `least` is in.
  EM_HOST_DEVICE void Advance(double least) {
    if (buckets_.adaptive && later_edges_ < first_edges_ / 8) width_ *= 2;
    if (buckets_.adaptive && later_edges_ > first_edges_) {
      width_ = width_ / 2 > buckets_.width ? width_ / 2 : buckets_.width;
    }
    bound_ = (std::floor(least / width_) + 1) * width_;
    if (!(bound_ > least)) bound_ = std::nextafter(least, kNoBound);
  }

 private:
  Buckets buckets_;
  double width_ = 1;
  double bound_ = -kNoBound;
  uint64_t buckets_done_ = 0;
  EdgeIndex first_edges_ = 0;  // edges of the bucket's members at its start
  EdgeIndex later_edges_ = 0;  // edges of the vertices that became members later
};

}  // namespace edgemill
