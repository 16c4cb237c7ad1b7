// Judges the answers of other pipelines.
#include "pipelines/hkrag/gate.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/records.h"

#include "pipelines/hkrag/agents.h"
#include "pipelines/hkrag/options.h"

namespace fineprint::pipelines::hkrag {
namespace {

constexpr const char* kJudger = "hkrag.judger";

// Returns the id of a page of the store. Pages of answers are found by name, because records name
// them.
std::optional<PageId> page_of_record(const session::Corpus& corpus, const PageRef& page) {
  const std::optional<DocumentId> document = corpus.document_named(page.doc);
  if (!document) return std::nullopt;
  return corpus.page_number(*document, page.page);
}

// Returns the pages that were read, not those that the record ranks further down.
std::vector<PageId> pages_retrieved(const session::Corpus& corpus, const Answer& answer) {
  std::vector<PageId> pages;
  for (const RetrievedPage& retrieved : shown_pages(answer)) {
    const auto page = page_of_record(corpus, retrieved.page);
    if (page && std::ranges::find(pages, *page) == pages.end()) pages.push_back(*page);
  }
  return pages;
}

std::vector<Note> quotes_cited(const session::Corpus& corpus, const Answer& answer) {
  std::vector<Note> notes;
  for (const Citation& citation : answer.citations) {
    const auto page = page_of_record(corpus, citation.page);
    if (page && !citation.quote.empty()) notes.push_back({.text = citation.quote, .page = *page});
  }
  return notes;
}

}  // namespace

GateVerdict judge_for_gate(session::Context& context, const std::string& question,
                           const Answer& answer, const PipelineOptions& options) {
  const Options own = options_of(options, context.session);
  const models::Generator& generator = context.session.generator(kJudger);
  const session::Corpus& corpus = context.session.corpus();
  const std::vector<PageId> pages =
      generator.sees() ? pages_retrieved(corpus, answer) : std::vector<PageId>{};
  const Agents asked(context, question, options.answer.prompts);
  const Trial trial =
      asked.judge(pages, statements_of(quotes_cited(corpus, answer), pages), own.uncertainty);
  if (trial.refused) return {};
  if (!trial.uncertainty) {
    throw Error(ErrorCode::model,
                format("--gate: {} gives no log-probabilities, so how uncertain it is of an answer "
                       "cannot be judged; leave out --gate, or name a generator that gives them: "
                       "--agent-generator {}=MODEL",
                       generator.name(), kJudger));
  }
  return {.uncertainty = trial.uncertainty, .uncertain = *trial.uncertainty >= own.threshold};
}

void check_gate(const session::Session& session, const PipelineOptions& options) {
  session.generator(kJudger);
  options_of(options, session);
}

}  // namespace fineprint::pipelines::hkrag
