// The answer that a QA model points at in found pages.
#pragma once

#include <string>
#include <vector>

#include "fineprint/evidence/execution.h"
#include "fineprint/models/qa_model.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/session/context.h"

#include "pipelines/extractive/candidates.h"

namespace fineprint::pipelines::extractive {

// What the QA model found.
struct ReadAnswer {
  evidence::Execution execution;
  std::vector<SnippetCandidate> candidates;  // sorted again by their pages' relevance
  std::vector<SnippetCandidate> proof;       // snippets that show the answer; may be empty
  std::vector<retrieve::FoundPage> pages;    // the found pages, sorted by relevance
  bool is_label = false;                     // the model points at a label, not at its value
};

// Lets the QA model read the most promising passages of the first pages, in one batch.
// `candidates`, best first, decide which passages are promising: the ones that hold the best
// candidates.
ReadAnswer read_answer(const session::Context& context, const models::QaModel& model,
                       const AskedPages& asked, std::vector<SnippetCandidate> candidates);

}  // namespace fineprint::pipelines::extractive
