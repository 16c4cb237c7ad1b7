// Makes the drafts of an answer: the best quote, and what the QA model points at.
#include "pipelines/extractive/drafts.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fineprint/core/json.h"
#include "fineprint/evidence/execution.h"
#include "fineprint/retrieve/page_reading.h"
#include "fineprint/text/language.h"
#include "fineprint/text/quote.h"
#include "fineprint/text/terms.h"

#include "pipelines/extractive/amounts.h"
#include "pipelines/extractive/answer_value.h"
#include "pipelines/extractive/asked_noun.h"
#include "pipelines/extractive/asked_part.h"
#include "pipelines/extractive/cell_value.h"
#include "pipelines/extractive/label_terms.h"
#include "pipelines/extractive/pair_value.h"
#include "pipelines/extractive/row_value.h"
#include "pipelines/extractive/said_value.h"

namespace fineprint::pipelines::extractive {
namespace {

constexpr std::size_t kCitations = 3;

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

// Returns the share of the asked noun's terms that the candidate's page or its headings hold; 1 if
// the question has no such noun.
double noun_on(const SnippetCandidate& candidate, const retrieve::Query& query) {
  const Terms noun = asked_noun(query.core, query.language);
  if (noun.empty()) return 1;
  const Terms held = text::terms(page_text(*candidate.page) + " " + candidate.snippet.context,
                                 candidate.page->language);
  const auto found = std::ranges::count_if(noun, [&](const std::string& term) {
    const auto others = query.spellings.find(term);
    return holds_term(held, term) ||
           (others != query.spellings.end() &&
            std::ranges::any_of(others->second,
                                [&](const std::string& one) { return holds_term(held, one); }));
  });
  return static_cast<double>(found) / static_cast<double>(noun.size());
}

// Returns by how much the best quote leads over the second.
double margin(const std::vector<SnippetCandidate>& candidates) {
  // A quote without a rival leads by as much as scores can differ.
  if (candidates.size() < 2) return 1;
  return std::clamp(candidates[0].score - candidates[1].score, 0.0, 1.0);
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
                 {"noun", signs.noun},
                 {"empty_field", signs.empty_field},
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

bool is_same_place(const SnippetCandidate& a, const SnippetCandidate& b) {
  return a.page == b.page && a.snippet.first_word == b.snippet.first_word;
}

// Puts the evidence first, and the other candidates after it without repeats.
std::vector<SnippetCandidate> with_evidence_first(std::vector<SnippetCandidate> proof,
                                                  const std::vector<SnippetCandidate>& candidates) {
  const std::size_t first = proof.size();
  for (const SnippetCandidate& one : candidates) {
    const bool is_proof =
        std::any_of(proof.begin(), proof.begin() + static_cast<std::ptrdiff_t>(first),
                    [&](const SnippetCandidate& known) { return is_same_place(known, one); });
    if (!is_proof) proof.push_back(one);
  }
  return proof;
}

bool says_yes_or_no(const evidence::Execution& execution) {
  return execution.operation == models::QaOperator::yes ||
         execution.operation == models::QaOperator::no;
}

// The QA model reads only English, and it is skipped if the question's time is up.
bool can_read(session::Context& context, const AskedPages& asked) {
  return text::is_english(asked.query.language) && context.in_time();
}

// Returns whether the quote is a label that is all asked for, a cell that is asked for by its row
// and column, a value next to the word asked about, or boxes that answer yes or no.
bool is_labelled(const AskedPages& asked, const SnippetCandidate& quote) {
  constexpr double kAlmostAll = 0.9;
  if (asked.kind == text::AnswerKind::yes_no) {
    return has_boxes(*quote.page, quote.snippet);
  }
  return label_fit(*quote.page, quote.snippet, asked.query) >= kAlmostAll ||
         cell_value(*quote.page, quote.snippet, asked.kind, asked.query).has_value() ||
         said_value(*quote.page, quote.snippet, asked.kind, asked.query).has_value();
}

// Returns whether the quote is a numbered part, and the question only asks what it says.
bool says_asked_part(const AskedPages& asked, const SnippetCandidate& quote) {
  const std::optional<AskedPart> part = asked_part(asked.query);
  return part && begins_asked_part(quote.snippet, *part) &&
         asks_what_part_says(*part, quote.page->language, asked.query);
}

Draft quoted_draft(const AskedPages& asked, const session::Pool& pool,
                   std::vector<SnippetCandidate> candidates) {
  const SnippetCandidate& best = candidates.front();
  std::optional<std::string> value =
      answer_value(*best.page, best.snippet, asked.kind, asked.query);
  Signs signs = signs_of(asked, candidates, pool, value.has_value());
  signs.labelled = (value.has_value() && is_labelled(asked, best)) || says_asked_part(asked, best);
  // An empty field of the same name is another one.
  if (signs.labelled) signs.empty_field = false;
  return {.candidates = std::move(candidates), .value = std::move(value), .signs = signs};
}

Draft read_draft(const AskedPages& asked, const session::Pool& pool, const ReadAnswer& read,
                 const std::vector<SnippetCandidate>& candidates) {
  std::vector<SnippetCandidate> own = with_evidence_first(read.proof, candidates);
  Signs signs = signs_of(asked, own, pool, /*has_value=*/true);
  signs.right = read.execution.probability;
  return {
      .candidates = std::move(own), .value = evidence::answer_text(read.execution), .signs = signs};
}

// Returns whether the model answers how many there are with a part of a date ("1" of "1 July").
bool points_into_date(const AskedPages& asked, const ReadAnswer& read) {
  if (asked.kind != text::AnswerKind::count || read.proof.empty()) return false;
  const std::string answer = evidence::answer_text(read.execution);
  const Snippet& proof = read.proof.front().snippet;
  const std::vector<text::Value> dates = text::find_values(proof.text, text::AnswerKind::date);
  return std::ranges::any_of(dates, [&](const text::Value& date) {
    const std::vector<std::string> terms = text::terms(date.text);
    return std::ranges::find(terms, answer) != terms.end();
  });
}

// Returns whether the model answers a question for a date with a number that is none, such as the
// number of a line.
bool points_at_no_date(const AskedPages& asked, const ReadAnswer& read) {
  if (asked.kind != text::AnswerKind::date) return false;
  const std::string answer = evidence::answer_text(read.execution);
  const bool is_number = answer.find_first_not_of("0123456789") == std::string::npos;
  return is_number && text::find_values(answer, text::AnswerKind::date).empty();
}

// Returns whether the model answers with a part of a telephone number or another address where an
// amount is asked for.
bool points_into_address(const AskedPages& asked, const ReadAnswer& read) {
  using enum text::AnswerKind;
  const bool is_amount =
      asked.kind == money || asked.kind == number || asked.kind == count || asked.kind == percent;
  if (!is_amount || read.proof.empty()) return false;
  const std::string answer = evidence::answer_text(read.execution);
  const Snippet& proof = read.proof.front().snippet;
  return std::ranges::any_of(std::array{phone, email, website}, [&](text::AnswerKind kind) {
    return std::ranges::any_of(text::find_values(proof.text, kind), [&](const text::Value& value) {
      return value.text.find(answer) != std::string::npos;
    });
  });
}

}  // namespace

void check_qa_model(const session::Session& session, const PipelineOptions& options) {
  const std::string qa = retrieve::chosen_qa_model(session.models(), options.qa);
  if (!qa.empty()) session.models().check_qa_model(qa);
}

const models::QaModel* qa_model(const session::Models& models, const PipelineOptions& options) {
  const std::string qa = retrieve::chosen_qa_model(models, options.qa);
  return qa.empty() ? nullptr : &models.qa_model(qa);
}

retrieve::SearchOptions before_reading(const session::Models& models,
                                       const PipelineOptions& options) {
  retrieve::SearchOptions search = options.search;
  const std::string qa = retrieve::chosen_qa_model(models, options.qa);
  if (!qa.empty() && (search.rerank == qa || search.rerank == "none")) search.rerank.clear();
  return search;
}

bool lacks_kind(const AskedPages& asked, const std::string& words, const std::string& language) {
  using enum text::AnswerKind;
  const bool has_values = asked.kind == date || asked.kind == number || asked.kind == money ||
                          asked.kind == count || asked.kind == percent;
  return has_values && kind_fit(words, asked.kind, asked.query.core, language) == 0;
}

Signs signs_of(const AskedPages& asked, const std::vector<SnippetCandidate>& candidates,
               const session::Pool& pool, bool has_value) {
  const SnippetCandidate& best = candidates.front();
  return {
      .coverage = asked.coverage.best_in(pool),
      .quoted = asked.coverage.in_terms(
          text::terms(best.snippet.text + " " + best.snippet.context, best.page->language)),
      .numbers = numbers_on(asked.coverage, best.found->page),
      .names = best.subject.names,
      .years = best.subject.years,
      .noun = noun_on(best, asked.query),
      .empty_field = asks_empty_field(*best.page, best.snippet.context, asked.kind, asked.query),
      .page_cosine = best_cosine(asked),
      .quote_cosine = best.cosine,
      .margin = margin(candidates),
      .row = best.snippet.is_row,
      .value = has_value,
      .lacks_kind = !has_value && lacks_kind(asked, best.snippet.text, best.page->language),
      .length = static_cast<double>(best.snippet.word_count),
      .kind = asked.kind,
      .demands = demands(asked.query.core)};
}

Drafts drafts_of(session::Context& context, const models::QaModel* model, const AskedPages& asked,
                 const session::Pool& pool, std::vector<SnippetCandidate> candidates) {
  Drafts drafts;
  if (model == nullptr || !can_read(context, asked)) {
    drafts.quoted = quoted_draft(asked, pool, std::move(candidates));
    tell_signs(context, drafts.quoted);
    return drafts;
  }
  ReadAnswer& read =
      drafts.read.emplace(read_answer(context, *model, asked, std::move(candidates)));
  drafts.quoted = quoted_draft(asked, pool, std::move(read.candidates));
  drafts.quoted.signs.held = 1 - read.execution.nothing;
  tell_signs(context, drafts.quoted);
  // A label is never an answer, and what a form says needs no reading.
  if (read.execution.empty() || read.is_label || drafts.quoted.signs.labelled) return drafts;
  // One place that the model counts says nothing about how many things it has.
  const bool counts_one =
      read.execution.operation == models::QaOperator::count && read.execution.evidence.size() < 2;
  if (counts_one) return drafts;
  if (points_into_date(asked, read) || points_at_no_date(asked, read) ||
      points_into_address(asked, read)) {
    return drafts;
  }
  if (asked.kind == text::AnswerKind::yes_no && !says_yes_or_no(read.execution)) return drafts;
  Draft& pointed_at =
      drafts.pointed_at.emplace(read_draft(asked, pool, read, drafts.quoted.candidates));
  pointed_at.signs.held = drafts.quoted.signs.held;
  tell_signs(context, pointed_at);
  // In one row, the head of a column decides better than the model, which mixes columns up.
  const SnippetCandidate& quote = drafts.quoted.candidates.front();
  const bool is_same_row = is_same_place(pointed_at.candidates.front(), quote);
  if (drafts.quoted.value && is_same_row && quote.snippet.is_row &&
      has_column_of_asked_year(*quote.page, quote.snippet, asked.query)) {
    return drafts;
  }
  drafts.points_better = read.execution.probability > read.execution.nothing &&
                         confidence(pointed_at.signs) >= confidence(drafts.quoted.signs);
  return drafts;
}

Citation citation_of(const session::Context& context, const SnippetCandidate& candidate) {
  Citation citation;
  citation.page = context.session.corpus().ref(candidate.found->page);
  citation.quote = candidate.snippet.text;
  citation.boxes =
      text::word_boxes(*candidate.page, candidate.snippet.first_word, candidate.snippet.word_count);
  citation.score = candidate.score;
  return citation;
}

std::vector<Citation> citations_of(const session::Context& context, const Draft& draft) {
  std::vector<Citation> citations;
  for (std::size_t i = 0; i < std::min(kCitations, draft.candidates.size()); ++i) {
    citations.push_back(citation_of(context, draft.candidates[i]));
  }
  return citations;
}

}  // namespace fineprint::pipelines::extractive
