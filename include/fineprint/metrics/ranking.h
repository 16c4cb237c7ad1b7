// Measures of a ranking of pages against the pages that are known to hold the evidence.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "fineprint/core/records.h"

namespace fineprint::metrics {

// For one question; items of a ranking are unique. Standard definitions, equal to ir_measures; all
// are 0 when `gold` is empty, so leave such questions out of a mean.

// |first k and gold| / |gold|
double recall(const std::vector<PageRef>& ranking, const std::set<PageRef>& gold, std::size_t k);
// |first k and gold| / k, also for rankings shorter than k
double precision(const std::vector<PageRef>& ranking, const std::set<PageRef>& gold, std::size_t k);
// |ranking and gold| / |ranking|: for methods that choose how many pages they return
double precision_returned(const std::vector<PageRef>& ranking, const std::set<PageRef>& gold);
// 1 when one of the first k is in gold, else 0
double hit(const std::vector<PageRef>& ranking, const std::set<PageRef>& gold, std::size_t k);
// The mean over the gold pages of the precision at the rank of each; 0 for those not found. No cut.
double average_precision(const std::vector<PageRef>& ranking, const std::set<PageRef>& gold);
// 1 / rank of the first gold page, 0 when there is none. No cut.
double reciprocal_rank(const std::vector<PageRef>& ranking, const std::set<PageRef>& gold);
// Binary gain, discount log2(rank + 1), ideal over min(|gold|, k).
double ndcg(const std::vector<PageRef>& ranking, const std::set<PageRef>& gold, std::size_t k);
// The same with a gain for each gold page (trec_eval's: the gain itself, not 2^gain - 1).
double ndcg(const std::vector<PageRef>& ranking, const std::map<PageRef, double>& gains,
            std::size_t k);

// Area under the ROC curve of a score that should be higher for `positive`; ties count half.
// A score that is NaN counts as the lowest. NaN when one class is empty.
double roc_auc(const std::vector<double>& scores, const std::vector<bool>& positive);

}  // namespace fineprint::metrics
