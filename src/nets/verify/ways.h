// The ways in which golden cases are run; see verify.h.
#pragma once

#include "nets/verify/case_check.h"

namespace fineprint::nets {

// Sums of the best products: for each query row its best page row. [queries][pages], each
// [rows, dim]. Source: Khattab and Zaharia, "ColBERT" (2020), equation 3.
at::Tensor late_scores(const std::vector<at::Tensor>& queries,
                       const std::vector<at::Tensor>& pages);

void verify_runs(CaseCheck* check);
void verify_late_pages(CaseCheck* check);
void verify_sentences(CaseCheck* check);
void verify_late_texts(CaseCheck* check);
void verify_pairs(CaseCheck* check);
void verify_judged(CaseCheck* check);

}  // namespace fineprint::nets
