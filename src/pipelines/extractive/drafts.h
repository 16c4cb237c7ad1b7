// The answers that the extractive pipeline could give to a question, with the evidence for each.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/records.h"
#include "fineprint/models/qa_model.h"
#include "fineprint/pipelines/pipeline.h"
#include "fineprint/session/context.h"

#include "pipelines/extractive/candidates.h"
#include "pipelines/extractive/reading_answer.h"
#include "pipelines/extractive/signs.h"

namespace fineprint::pipelines::extractive {

// An answer that could be given. Its candidates point into the AskedPages of the question.
struct Draft {
  std::vector<SnippetCandidate> candidates;  // the evidence comes first; never empty
  std::optional<std::string> value;          // nullopt: the quote itself is the answer
  Signs signs;

  std::string text() const { return value.value_or(candidates.front().snippet.text); }
};

// What could be answered.
struct Drafts {
  Draft quoted;                     // from the best quote
  std::optional<Draft> pointed_at;  // what the QA model points at; absent if no model has read
  bool points_better = false;       // the second one is the answer
  std::optional<ReadAnswer> read;   // all that the QA model said

  const Draft& best() const { return points_better ? *pointed_at : quoted; }
};

// Throws what the QA model that the options name would throw when it is loaded.
void check_qa_model(const session::Session& session, const PipelineOptions& options);

// Returns the QA model that the options name, or nullptr if they name none.
const models::QaModel* qa_model(const session::Models& models, const PipelineOptions& options);

// Returns the options of the search. If a QA model is named, it does not also sort the pages of the
// search, because it would read them twice.
retrieve::SearchOptions before_reading(const session::Models& models,
                                       const PipelineOptions& options);

// Returns what could be answered, from `candidates`, best first and not empty. If `model` is given,
// the question is in English and the question's time is not up, the model reads the passages that
// hold the best candidates. Traces the step "confidence" for each draft.
Drafts drafts_of(session::Context& context, const models::QaModel* model, const AskedPages& asked,
                 const session::Pool& pool, std::vector<SnippetCandidate> candidates);

// Returns whether the question asks for a date, a number or another kind of value of which `words`,
// in this language, have none.
bool lacks_kind(const AskedPages& asked, const std::string& words, const std::string& language);

// Returns the signs of an answer that `candidates.front()` proves. `has_value`: the answer is a
// value in it, not all of it.
Signs signs_of(const AskedPages& asked, const std::vector<SnippetCandidate>& candidates,
               const session::Pool& pool, bool has_value);

// Returns the citations of a draft: its first candidates, at most three.
std::vector<Citation> citations_of(const session::Context& context, const Draft& draft);

// Returns the citation of one candidate.
Citation citation_of(const session::Context& context, const SnippetCandidate& candidate);

}  // namespace fineprint::pipelines::extractive
