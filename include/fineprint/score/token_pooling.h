// Fewer vectors a page: similar ones are replaced by their mean.
// Source: Clavie, Chaffin and Adams 2024, "Reducing the footprint of multi-vector retrieval with
// minimal performance impact via token pooling" (hierarchical, Ward's linkage). As in the published
// code (colpali-engine's HierarchicalTokenPooler), a row's point for Ward's criterion is the list
// of its cosine distances from all rows of the page: rows are alike that are alike to the same
// rows.
#pragma once

#include "fineprint/core/matrix.h"

namespace fineprint::score {

// Clusters the rows (unit length) into max(1, rows / factor) groups; each becomes the mean of its
// members, scaled to unit length. Factor 1 or less: the rows unchanged. Rows keep the order of each
// group's first member.
Matrix pool_tokens(const Matrix& vectors, int factor);

}  // namespace fineprint::score
