// Answers without a generator: quotes the sentence or table row that fits the question best, and
// gives the value in it where that is safe.
#include <algorithm>
#include <cctype>
#include <cmath>

#include "fineprint/core/json.h"
#include "fineprint/pipelines/pipeline.h"
#include "fineprint/retrieve/answer_value.h"
#include "fineprint/text/quote.h"
#include "fineprint/text/terms.h"

#include "pipelines/extractive/candidates.h"
#include "pipelines/extractive/signs.h"

namespace fineprint::pipelines {
namespace {

using extractive::Candidate;
using extractive::Reading;
using extractive::Signs;

constexpr std::size_t kCitations = 3;

bool has_digit(const std::string& term) {
  return std::any_of(term.begin(), term.end(), [](unsigned char c) { return std::isdigit(c); });
}

// The share of the question's numbers that stand on `page`; 1 when it has none.
double numbers_on(const retrieve::TermCoverage& coverage, std::uint32_t page) {
  int numbers = 0, present = 0;
  for (std::size_t term = 0; term < coverage.terms().size(); ++term) {
    if (!has_digit(coverage.terms()[term])) continue;
    ++numbers;
    present += coverage.holds(page, term) ? 1 : 0;
  }
  return numbers == 0 ? 1.0 : static_cast<double>(present) / numbers;
}

// How far the best quote is before the next.
double margin(const std::vector<Candidate>& candidates) {
  if (candidates.size() < 2) return 1;
  return std::clamp(candidates[0].score - candidates[1].score, 0.0, 1.0);
}

Signs signs_of(const Reading& reading, const std::vector<Candidate>& candidates,
               const session::Pool& pool, bool has_value) {
  const Candidate& best = candidates.front();
  return {.coverage = reading.coverage.best_in(pool),
          .quoted = reading.coverage.in_terms(
              text::terms(best.passage.text + " " + best.passage.context, best.page->language)),
          .numbers = numbers_on(reading.coverage, best.found->page),
          .names = best.subject.names,
          .years = best.subject.years,
          .page_cosine = extractive::best_cosine(reading),
          .quote_cosine = best.cosine,
          .margin = margin(candidates),
          .row = best.passage.is_row,
          .value = has_value,
          .length = static_cast<double>(best.passage.word_count),
          .kind = reading.kind,
          .demands = text::demands(reading.query.core)};
}

void tell_signs(const session::Context& context, const Signs& signs) {
  if (!context.events.wants_fields()) return;
  const Json fields = {{"coverage", signs.coverage},
                       {"quoted", signs.quoted},
                       {"numbers", signs.numbers},
                       {"names", signs.names},
                       {"years", signs.years},
                       {"page_cosine", signs.page_cosine},
                       {"quote_cosine", signs.quote_cosine},
                       {"margin", signs.margin},
                       {"row", signs.row},
                       {"value", signs.value},
                       {"length", signs.length},
                       {"kind", text::kind_name(signs.kind)},
                       {"arithmetic", signs.demands.arithmetic},
                       {"comparison", signs.demands.comparison},
                       {"looking", signs.demands.looking},
                       {"several", signs.demands.several}};
  context.events.tell({.step = "confidence", .fields = dump_json(fields)});
}

Citation cite(const session::Context& context, const Candidate& candidate) {
  Citation citation;
  citation.page = context.session.corpus().ref(candidate.found->page);
  citation.quote = candidate.passage.text;
  citation.boxes =
      text::word_boxes(*candidate.page, candidate.passage.first_word, candidate.passage.word_count);
  citation.score = candidate.score;
  return citation;
}

Answer answer_extractively(session::Context& context, const Question& question,
                           const PipelineOptions& options) {
  const Reading reading(context, question.text, options.search);
  Answer answer;
  answer.answer = kNotAnswerable;
  answer.retrieved = retrieve::retrieved_pages(context, reading.found);
  const std::vector<Candidate> candidates = extractive::ranked_candidates(context, reading);
  if (candidates.empty()) {
    context.events.tell({.step = "empty_retrieval"});
    answer.answerability = extractive::answerability(extractive::kNothingFound);
    answer.confidence = extractive::confidence_in_declining(extractive::kNothingFound);
    return answer;
  }
  for (std::size_t i = 0; i < std::min(kCitations, candidates.size()); ++i) {
    answer.citations.push_back(cite(context, candidates[i]));
  }

  const Candidate& best = candidates.front();
  const std::optional<std::string> value =
      retrieve::answer_value(*best.page, best.passage, reading.kind, reading.query);
  const Signs signs = signs_of(
      reading, candidates, context.session.corpus().pool(options.search.docs), value.has_value());
  tell_signs(context, signs);
  answer.answerability = extractive::answerability(signs);
  answer.confidence = extractive::confidence(signs);
  answer.answerable = *answer.answerability >= options.reader.min_answerability &&
                      answer.confidence >= options.reader.min_confidence;
  if (answer.answerable) {
    answer.answer = value.value_or(best.passage.text);
  } else {
    answer.confidence = extractive::confidence_in_declining(signs);
  }
  return answer;
}

}  // namespace

Pipeline extractive_pipeline() {
  return {.info = {.name = "extractive",
                   .needs = "scorers bm25, text (or bm25 alone)",
                   .calls_per_question = "0",
                   .generates = false},
          .run = answer_extractively};
}

}  // namespace fineprint::pipelines
