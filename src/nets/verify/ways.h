// The ways to run golden cases; see verify.h.
#pragma once

#include "nets/verify/case_check.h"

namespace fineprint::nets {

// Returns scores [queries, pages]. A score is the sum, over a query's rows, of the largest product
// with any row of the page. Each query and page is [rows, dim]. Source: Khattab and Zaharia,
// "ColBERT" (2020), equation 3.
at::Tensor late_scores(const std::vector<at::Tensor>& queries,
                       const std::vector<at::Tensor>& pages);

// Each runs one kind of case and adds its checks to `check`.
void verify_runs(CaseCheck* check);
void verify_late_pages(CaseCheck* check);
void verify_sparse_pages(CaseCheck* check);
void verify_sentences(CaseCheck* check);
void verify_sparse_texts(CaseCheck* check);
void verify_late_texts(CaseCheck* check);
void verify_pairs(CaseCheck* check);
void verify_judged(CaseCheck* check);

}  // namespace fineprint::nets
