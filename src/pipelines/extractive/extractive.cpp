// Answers without a generator. Quotes the sentence or table row that fits best, and gives the value
// in it if that is safe. A small QA model may also point at an answer in the passages that fit
// best, which is given if it is surer than the quote.
#include <algorithm>
#include <cctype>
#include <cmath>

#include "fineprint/core/json.h"
#include "fineprint/evidence/execution.h"
#include "fineprint/pipelines/pipeline.h"
#include "fineprint/retrieve/page_reading.h"
#include "fineprint/text/language.h"
#include "fineprint/text/quote.h"
#include "fineprint/text/terms.h"

#include "pipelines/extractive/answer_value.h"
#include "pipelines/extractive/candidates.h"
#include "pipelines/extractive/cell_value.h"
#include "pipelines/extractive/pair_value.h"
#include "pipelines/extractive/reading_answer.h"
#include "pipelines/extractive/signs.h"

namespace fineprint::pipelines {
namespace {

using extractive::AskedPages;
using extractive::ReadAnswer;
using extractive::Signs;
using extractive::SnippetCandidate;

constexpr std::size_t kCitations = 3;

bool has_digit(const std::string& term) {
  return std::any_of(term.begin(), term.end(), [](unsigned char c) { return std::isdigit(c); });
}

// Returns the share of the question's numbers that are on `page`; 1 if the question has none.
double numbers_on(const retrieve::TermCoverage& coverage, PageId page) {
  int numbers = 0, present = 0;
  for (std::size_t term = 0; term < coverage.terms().size(); ++term) {
    if (!has_digit(coverage.terms()[term])) continue;
    ++numbers;
    present += coverage.holds(page, term) ? 1 : 0;
  }
  return numbers == 0 ? 1.0 : static_cast<double>(present) / numbers;
}

// Returns by how much the best quote leads over the second.
double margin(const std::vector<SnippetCandidate>& candidates) {
  // A quote without a rival leads by as much as scores can differ.
  if (candidates.size() < 2) return 1;
  return std::clamp(candidates[0].score - candidates[1].score, 0.0, 1.0);
}

// An answer that could be given.
struct Draft {
  std::vector<SnippetCandidate> candidates;  // the evidence comes first; never empty
  std::optional<std::string> value;          // nullopt: the quote itself is the answer
  Signs signs;

  std::string text() const { return value.value_or(candidates.front().snippet.text); }
};

// Returns whether the question asks for a value of a kind that the quote has none of.
bool lacks_kind(const AskedPages& asked, const SnippetCandidate& quote) {
  using enum text::AnswerKind;
  const bool has_values = asked.kind == date || asked.kind == number || asked.kind == money ||
                          asked.kind == count || asked.kind == percent;
  return has_values && extractive::kind_fit(quote.snippet.text, asked.kind, asked.query.core,
                                            quote.page->language) == 0;
}

Signs signs_of(const AskedPages& asked, const std::vector<SnippetCandidate>& candidates,
               const session::Pool& pool, bool has_value) {
  const SnippetCandidate& best = candidates.front();
  return {.coverage = asked.coverage.best_in(pool),
          .quoted = asked.coverage.in_terms(
              text::terms(best.snippet.text + " " + best.snippet.context, best.page->language)),
          .numbers = numbers_on(asked.coverage, best.found->page),
          .names = best.subject.names,
          .years = best.subject.years,
          .page_cosine = extractive::best_cosine(asked),
          .quote_cosine = best.cosine,
          .margin = margin(candidates),
          .row = best.snippet.is_row,
          .value = has_value,
          .lacks_kind = !has_value && lacks_kind(asked, best),
          .length = static_cast<double>(best.snippet.word_count),
          .kind = asked.kind,
          .demands = extractive::demands(asked.query.core)};
}

void tell_signs(const session::Context& context, const Draft& draft) {
  if (!context.events.wants_fields()) return;
  const Signs& signs = draft.signs;
  Json fields = {{"answer", draft.text()},
                 {"coverage", signs.coverage},
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
  if (signs.held) fields["held"] = *signs.held;
  if (signs.right) fields["right"] = *signs.right;
  context.events.tell({.step = "confidence", .fields = dump_json(fields)});
}

Citation cite(const session::Context& context, const SnippetCandidate& candidate) {
  Citation citation;
  citation.page = context.session.corpus().ref(candidate.found->page);
  citation.quote = candidate.snippet.text;
  citation.boxes =
      text::word_boxes(*candidate.page, candidate.snippet.first_word, candidate.snippet.word_count);
  citation.score = candidate.score;
  return citation;
}

// Puts the evidence first, and the other candidates after it without repeats.
std::vector<SnippetCandidate> with_evidence_first(std::vector<SnippetCandidate> proof,
                                                  const std::vector<SnippetCandidate>& candidates) {
  const std::size_t first = proof.size();
  for (const SnippetCandidate& one : candidates) {
    const bool is_proof = std::any_of(
        proof.begin(), proof.begin() + static_cast<std::ptrdiff_t>(first),
        [&](const SnippetCandidate& known) {
          return known.page == one.page && known.snippet.first_word == one.snippet.first_word;
        });
    if (!is_proof) proof.push_back(one);
  }
  return proof;
}

// A QA model does not read the found passages in the search and then again here, which would double
// the time.
retrieve::SearchOptions before_reading(retrieve::SearchOptions options, const std::string& qa) {
  if (!qa.empty() && (options.rerank == qa || options.rerank == "none")) options.rerank.clear();
  return options;
}

void check_qa_model(const session::Session& session, const PipelineOptions& options) {
  const std::string qa = retrieve::chosen_qa_model(session.models(), options.qa);
  if (!qa.empty()) session.models().check_qa_model(qa);
}

// The QA model reads only English, and it is skipped if the question's time is up.
bool can_read(const session::Context& context, const AskedPages& asked) {
  return text::is_english(asked.query.language) && !context.stop_token.stop_requested();
}

std::vector<retrieve::RankedPage> without_scorers(const std::vector<retrieve::FoundPage>& pages) {
  std::vector<retrieve::RankedPage> ranked;
  for (const retrieve::FoundPage& page : pages) ranked.push_back({page.page, page.score});
  return ranked;
}

// Returns whether the quote is a label that is all asked for, a cell that is asked for by its row
// and column, or boxes that answer yes or no.
bool is_labelled(const AskedPages& asked, const SnippetCandidate& quote) {
  constexpr double kAlmostAll = 0.9;
  if (asked.kind == text::AnswerKind::yes_no) {
    return extractive::has_boxes(*quote.page, quote.snippet);
  }
  return extractive::label_fit(*quote.page, quote.snippet, asked.query) >= kAlmostAll ||
         extractive::cell_value(*quote.page, quote.snippet, asked.kind, asked.query).has_value();
}

Draft quoted_draft(const AskedPages& asked, const session::Pool& pool,
                   std::vector<SnippetCandidate> candidates) {
  const SnippetCandidate& best = candidates.front();
  std::optional<std::string> value =
      extractive::answer_value(*best.page, best.snippet, asked.kind, asked.query);
  Signs signs = signs_of(asked, candidates, pool, value.has_value());
  signs.labelled = value.has_value() && is_labelled(asked, best);
  return {.candidates = std::move(candidates), .value = std::move(value), .signs = signs};
}

// Makes the draft without a QA model.
Draft plain_draft(const session::Context& context, const AskedPages& asked,
                  const session::Pool& pool, std::vector<SnippetCandidate> candidates) {
  Draft draft = quoted_draft(asked, pool, std::move(candidates));
  tell_signs(context, draft);
  return draft;
}

Draft read_draft(const AskedPages& asked, const session::Pool& pool, const ReadAnswer& read,
                 const std::vector<SnippetCandidate>& candidates) {
  std::vector<SnippetCandidate> own = with_evidence_first(read.proof, candidates);
  Signs signs = signs_of(asked, own, pool, /*has_value=*/true);
  signs.right = read.execution.probability;
  return {
      .candidates = std::move(own), .value = evidence::answer_text(read.execution), .signs = signs};
}

// Returns the surer draft: the best quote, or the answer that the QA model points at, if the model
// finds it likelier than that nothing answers. The model also sorts quotes and the answer's pages
// again.
Draft surer_draft(const session::Context& context, const models::QaModel& model,
                  const AskedPages& asked, const session::Pool& pool,
                  std::vector<SnippetCandidate> candidates, Answer* answer) {
  ReadAnswer read = extractive::read_answer(context, model, asked, std::move(candidates));
  answer->retrieved = retrieve::retrieved_pages(context, without_scorers(read.pages),
                                                without_scorers(asked.ranking));
  Draft quoted = quoted_draft(asked, pool, std::move(read.candidates));
  quoted.signs.held = 1 - read.execution.nothing;
  tell_signs(context, quoted);
  // A label is never an answer, and what a form says needs no reading.
  if (read.execution.empty() || read.is_label || quoted.signs.labelled) return quoted;
  Draft pointed_at = read_draft(asked, pool, read, quoted.candidates);
  pointed_at.signs.held = quoted.signs.held;
  tell_signs(context, pointed_at);
  const bool is_surer =
      read.execution.probability > read.execution.nothing &&
      extractive::confidence(pointed_at.signs) >= extractive::confidence(quoted.signs);
  return is_surer ? pointed_at : quoted;
}

Answer answer_extractively(session::Context& context, const Question& question,
                           const PipelineOptions& options) {
  const session::Models& models = context.session.models();
  const std::string qa = retrieve::chosen_qa_model(models, options.qa);
  const models::QaModel* model = qa.empty() ? nullptr : &models.qa_model(qa);
  const AskedPages asked(context, question.text, before_reading(options.search, qa),
                         model != nullptr);
  Answer answer;
  answer.answer = kNotAnswerable;
  answer.retrieved = retrieve::retrieved_pages(context, without_scorers(asked.found),
                                               without_scorers(asked.ranking));
  std::vector<SnippetCandidate> candidates = extractive::ranked_candidates(context, asked);
  if (candidates.empty()) {
    context.events.tell({.step = "empty_retrieval"});
    // Nothing found is itself a sign that the documents hold no answer.
    answer.answerability = extractive::answerability(extractive::kNothingFound);
    answer.confidence = extractive::confidence_in_declining(extractive::kNothingFound);
    return answer;
  }
  const session::Pool pool = context.session.corpus().pool(options.search.docs);
  const Draft draft =
      model != nullptr && can_read(context, asked)
          ? surer_draft(context, *model, asked, pool, std::move(candidates), &answer)
          : plain_draft(context, asked, pool, std::move(candidates));
  for (std::size_t i = 0; i < std::min(kCitations, draft.candidates.size()); ++i) {
    answer.citations.push_back(cite(context, draft.candidates[i]));
  }
  answer.answerability = extractive::answerability(draft.signs);
  answer.confidence = extractive::confidence(draft.signs);
  answer.answerable = *answer.answerability >= options.answer.min_answerability &&
                      answer.confidence >= options.answer.min_confidence;
  if (answer.answerable) {
    answer.answer = draft.text();
  } else {
    answer.confidence = extractive::confidence_in_declining(draft.signs);
  }
  return answer;
}

}  // namespace

Pipeline extractive_pipeline() {
  return {.info = {.name = "extractive",
                   .needs = "scorers bm25, text (or bm25 alone)",
                   .calls_per_question = "0",
                   .generates = false},
          .run = answer_extractively,
          .check = check_qa_model};
}

}  // namespace fineprint::pipelines
