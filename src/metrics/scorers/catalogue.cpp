// The list of scorers.
#include "metrics/scorers/catalogue.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::metrics {

// The order is that of lists for users: published evaluators, judges, standard measures.
const std::vector<const Scorer*>& scorers() {
  static const std::vector<const Scorer*> all = {&mmlongbench_scorer(),
                                                 &longdocurl_scorer(),
                                                 &molorag_mmlong_scorer(),
                                                 &molorag_longdocurl_scorer(),
                                                 &molorag_retrieval_scorer(),
                                                 &opendocvqa_scorer(),
                                                 &slidevqa_scorer(),
                                                 &uda_f1_scorer(),
                                                 &vidorag_retrieval_scorer(),
                                                 &vidorag_judge_scorer(),
                                                 &binary_judge_scorer(),
                                                 &exact_scorer(),
                                                 &relaxed_scorer(),
                                                 &anls_scorer(),
                                                 &f1_scorer(),
                                                 &pages_scorer()};
  return all;
}

const Scorer& scorer_named(std::string_view name) {
  std::string names;
  for (const Scorer* scorer : scorers()) {
    if (scorer->name() == name) return *scorer;
    names += format("\n  {:<20} {}", scorer->name(), scorer->help());
  }
  throw Error(ErrorCode::usage, format("unknown scorer \"{}\"; choose one of:{}", name, names));
}

}  // namespace fineprint::metrics
