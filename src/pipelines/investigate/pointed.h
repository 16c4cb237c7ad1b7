// Facts that the QA model points at in new material. They cost no call of the generator.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "fineprint/core/ids.h"
#include "fineprint/models/qa_model.h"
#include "fineprint/session/corpus.h"

namespace fineprint::pipelines::investigate {

// A sentence or table row that holds what the QA model points at.
struct PointedFact {
  PageId page;
  std::string quote;       // as on the page
  std::string value;       // what was pointed at in it: "1961"
  double probability = 0;  // that the value is right
};

// Returns the most probable value for `asked` on these pages with its sentence or row, or nullopt
// if there is none, or if it has to be calculated. `asked`: a question, or words to search for.
// Reads the passages that share most terms with `asked`, about as much as one prompt holds.
std::optional<PointedFact> pointed_fact(const session::Corpus& corpus, const models::QaModel& model,
                                        const std::string& asked, std::span<const PageId> pages);

}  // namespace fineprint::pipelines::investigate
