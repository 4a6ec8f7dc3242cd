// What columns of figures show.
#pragma once

#include "bench/papers/paper_figure.h"

namespace edgemill::bench::quantities {

extern const PaperQuantity kSeconds;       // of all iterations
extern const PaperQuantity kMilliseconds;  // the same; of an iteration too
extern const PaperQuantity kIterations;
extern const PaperQuantity kLinkGigabytes;  // that cross the link to the GPU
extern const PaperQuantity kLinkRate;       // these over all seconds
extern const PaperQuantity kMovedShare;     // these over the bytes of raw edges
extern const PaperQuantity kMegaRequests;   // across the link
extern const PaperQuantity kRequests32;     // of 32 bytes, as a share of these
extern const PaperQuantity kRequests64;
extern const PaperQuantity kRequests96;
extern const PaperQuantity kRequests128;
extern const PaperQuantity kTransferSeconds;     // bringing blocks and visiting them
extern const PaperQuantity kGigabytesRead;       // from disk
extern const PaperQuantity kMegaEdgesPerSecond;  // as bench run counts them
extern const PaperQuantity kMakeCellMilliseconds;
extern const PaperQuantity kMakeCellShare;       // over all seconds
extern const PaperQuantity kCellBytes;           // over those of raw CSR
extern const PaperQuantity kMeanActiveVertices;  // shares of all, over iterations
extern const PaperQuantity kMostActiveVertices;
extern const PaperQuantity kMeanActiveEdges;
extern const PaperQuantity kMostActiveEdges;
extern const PaperQuantity kIterationsAbove80;    // with more than .8 of the edges active
extern const PaperQuantity kIterationsBeyondGpu;  // whose active edges exceed the GPU's memory
extern const PaperQuantity kMeanCopies;           // of a value, in Garaph's shards

// Of a page alone:
extern const PaperQuantity kPageMilliseconds;

// Of an iteration alone:
extern const PaperQuantity kMode;
extern const PaperQuantity kActiveVertices;
extern const PaperQuantity kActiveEdges;
extern const PaperQuantity kActiveEdgeShare;
extern const PaperQuantity kVisitedBlockShare;
extern const PaperQuantity kFilterShare;  // of the blocks that were brought
extern const PaperQuantity kCompactionShare;
extern const PaperQuantity kZeroCopyShare;

}  // namespace edgemill::bench::quantities
