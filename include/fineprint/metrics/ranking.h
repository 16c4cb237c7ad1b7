// Measures a ranking of pages against the gold pages.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "fineprint/core/records.h"

namespace fineprint::metrics {

// The measures below are for one question. Each page may occur only once in a ranking. The
// definitions are the standard ones, and the results equal those of ir_measures. All are 0 if
// `gold` is empty, so leave such questions out of a mean.

// Returns the share of the gold pages that are among the first k: |first k and gold| / |gold|.
double recall(const std::vector<PageRef>& ranking, const std::set<PageRef>& gold, std::size_t k);
// Returns |first k and gold| / k, also if the ranking is shorter than k.
double precision(const std::vector<PageRef>& ranking, const std::set<PageRef>& gold, std::size_t k);
// Returns |ranking and gold| / |ranking|, for methods that choose how many pages they return.
double precision_returned(const std::vector<PageRef>& ranking, const std::set<PageRef>& gold);
// Returns 1 if one of the first k pages is a gold page, else 0.
double hit(const std::vector<PageRef>& ranking, const std::set<PageRef>& gold, std::size_t k);
// Returns the mean, over the gold pages, of the precision at the rank of each; 0 for pages that are
// not found. Uses the complete ranking.
double average_precision(const std::vector<PageRef>& ranking, const std::set<PageRef>& gold);
// Returns 1 / rank of the first gold page; 0 if there is none. Uses the complete ranking.
double reciprocal_rank(const std::vector<PageRef>& ranking, const std::set<PageRef>& gold);
// Returns nDCG at k: binary gain, discount log2(rank + 1), ideal over min(|gold|, k).
double ndcg(const std::vector<PageRef>& ranking, const std::set<PageRef>& gold, std::size_t k);
// The same with a gain for each gold page. As in trec_eval, the gain counts itself, not 2^gain - 1.
double ndcg(const std::vector<PageRef>& ranking, const std::map<PageRef, double>& gains,
            std::size_t k);

// Returns the area under the ROC curve of a score that should be higher for `positive`. Ties count
// half, and NaN counts as the lowest score. Returns NaN if one class is empty.
double roc_auc(const std::vector<double>& scores, const std::vector<bool>& positive);

}  // namespace fineprint::metrics
