// The scorers. Each is in the file of its name, except for the judges (judged.cpp) and the standard
// measures (standard.cpp).
#pragma once

#include "fineprint/metrics/scorer.h"

namespace fineprint::metrics {

const Scorer& mmlongbench_scorer();
const Scorer& longdocurl_scorer();
const Scorer& molorag_mmlong_scorer();
const Scorer& molorag_longdocurl_scorer();
const Scorer& molorag_retrieval_scorer();
const Scorer& opendocvqa_scorer();
const Scorer& slidevqa_scorer();
const Scorer& uda_f1_scorer();
const Scorer& vidorag_retrieval_scorer();
const Scorer& vidorag_judge_scorer();
const Scorer& binary_judge_scorer();
const Scorer& exact_scorer();
const Scorer& relaxed_scorer();
const Scorer& anls_scorer();
const Scorer& f1_scorer();
const Scorer& pages_scorer();

}  // namespace fineprint::metrics
