// Measures of a ranking of pages against the pages that are known to hold the evidence.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "fineprint/core/records.h"

namespace fineprint::metrics {

// For one question; items are unique. Standard definitions, equal to ir_measures; all are 0 when
// `gold` is empty, so leave such questions out of a mean.
// recall(k) = |first k and gold| / |gold|
double recall(const std::vector<PageRef>& ranking, const std::set<PageRef>& gold, std::size_t k);
// 1 / rank of the first gold page, 0 when there is none. No cut.
double reciprocal_rank(const std::vector<PageRef>& ranking, const std::set<PageRef>& gold);
// Binary gain, discount log2(rank + 1), ideal over min(|gold|, k).
double ndcg(const std::vector<PageRef>& ranking, const std::set<PageRef>& gold, std::size_t k);

// Area under the ROC curve of a score that should be higher for `positive`; ties count half.
// a score that is NaN counts as the lowest. NaN when one class is empty.
double roc_auc(const std::vector<double>& scores, const std::vector<bool>& positive);

}  // namespace fineprint::metrics
