// Answers without a generator: a small reader points at the answer in the passages that fit the
// question best. Without one the sentence or table row that fits best is quoted, and the value in
// it given where that is safe.
#include <algorithm>
#include <cctype>
#include <cmath>

#include "fineprint/core/json.h"
#include "fineprint/evidence/execution.h"
#include "fineprint/pipelines/pipeline.h"
#include "fineprint/retrieve/answer_value.h"
#include "fineprint/retrieve/page_reading.h"
#include "fineprint/text/language.h"
#include "fineprint/text/quote.h"
#include "fineprint/text/terms.h"

#include "pipelines/extractive/candidates.h"
#include "pipelines/extractive/reading_answer.h"
#include "pipelines/extractive/signs.h"

namespace fineprint::pipelines {
namespace {

using extractive::Candidate;
using extractive::ReadAnswer;
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

std::optional<Signs::Read> said_by(const std::optional<ReadAnswer>& read) {
  if (!read) return std::nullopt;
  return Signs::Read{.held = 1 - read->execution.nothing, .right = read->execution.probability};
}

Signs signs_of(const Reading& reading, const std::vector<Candidate>& candidates,
               const session::Pool& pool, bool has_value, const std::optional<ReadAnswer>& read) {
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
          .demands = text::demands(reading.query.core),
          .read = said_by(read)};
}

void tell_signs(const session::Context& context, const Signs& signs) {
  if (!context.events.wants_fields()) return;
  Json fields = {{"coverage", signs.coverage},
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
  if (signs.read) {
    fields["held"] = signs.read->held;
    fields["right"] = signs.read->right;
  }
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

// What was read comes first, once.
std::vector<Candidate> behind_proof(std::vector<Candidate> proof,
                                    const std::vector<Candidate>& candidates) {
  const std::size_t first = proof.size();
  for (const Candidate& one : candidates) {
    const bool is_proof = std::any_of(
        proof.begin(), proof.begin() + static_cast<std::ptrdiff_t>(first),
        [&](const Candidate& known) {
          return known.page == one.page && known.passage.first_word == one.passage.first_word;
        });
    if (!is_proof) proof.push_back(one);
  }
  return proof;
}

// The reader reads what was found itself, and few passages of it.
retrieve::SearchOptions before_reading(retrieve::SearchOptions options, bool is_read) {
  if (is_read) options.rerank.clear();
  return options;
}

// It reads English alone, and not when the question's time is up.
bool can_read(const session::Context& context, const Reading& reading) {
  return text::is_english(reading.query.language) && !context.stop_token.stop_requested();
}

Answer answer_extractively(session::Context& context, const Question& question,
                           const PipelineOptions& options) {
  const models::Reader* reader = retrieve::chosen_reader(context.session, options.search);
  const Reading reading(context, question.text, before_reading(options.search, reader != nullptr),
                        reader != nullptr);
  Answer answer;
  answer.answer = kNotAnswerable;
  answer.retrieved = retrieve::retrieved_pages(context, reading.found);
  std::vector<Candidate> candidates = extractive::ranked_candidates(context, reading);
  if (candidates.empty()) {
    context.events.tell({.step = "empty_retrieval"});
    answer.answerability = extractive::answerability(extractive::kNothingFound);
    answer.confidence = extractive::confidence_in_declining(extractive::kNothingFound);
    return answer;
  }
  std::optional<ReadAnswer> read;
  if (reader != nullptr && can_read(context, reading)) {
    read = extractive::read_answer(context, *reader, reading, candidates);
    candidates = behind_proof(read->proof, candidates);
    answer.retrieved = retrieve::retrieved_pages(context, read->pages);
  }
  for (std::size_t i = 0; i < std::min(kCitations, candidates.size()); ++i) {
    answer.citations.push_back(cite(context, candidates[i]));
  }

  const Candidate& best = candidates.front();
  const std::optional<std::string> value =
      read && !read->execution.empty()
          ? evidence::answer_text(read->execution)
          : retrieve::answer_value(*best.page, best.passage, reading.kind, reading.query);
  const Signs signs =
      signs_of(reading, candidates, context.session.corpus().pool(options.search.docs),
               value.has_value(), read);
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
