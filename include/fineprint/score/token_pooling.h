// Token pooling: replaces similar vectors of a page by their mean, so that a page has fewer.
// Source: Clavie, Chaffin and Adams 2024, "Reducing the footprint of multi-vector retrieval with
// minimal performance impact via token pooling" (hierarchical, Ward's linkage). As in the published
// code (colpali-engine's HierarchicalTokenPooler), Ward's criterion takes for a row the list of its
// cosine distances from all rows of the page: two rows are similar if they are similar to the same
// rows.
#pragma once

#include "fineprint/core/matrix.h"

namespace fineprint::score {

// Clusters the rows, which must have unit length, into max(1, rows / factor) groups. Returns one
// row for each group: the mean of its members, scaled to unit length. For example, 1030 rows and
// factor 3 give 343 rows. Returns the rows unchanged if `factor` is 1 or less. Rows keep the order
// of each group's first member.
Matrix pool_tokens(const Matrix& vectors, int factor);

}  // namespace fineprint::score
