// Answers without a generator: quotes the sentence or table row that fits the question best.
#include <algorithm>
#include <cctype>
#include <cmath>

#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/unicode.h"
#include "fineprint/pipelines/pipeline.h"
#include "fineprint/retrieve/answer_value.h"
#include "fineprint/retrieve/coverage.h"
#include "fineprint/retrieve/passages.h"
#include "fineprint/retrieve/query.h"
#include "fineprint/text/quote.h"
#include "fineprint/text/terms.h"

namespace fineprint::pipelines {
namespace {

using retrieve::FoundPage;
using retrieve::Passage;
using retrieve::Query;
using retrieve::TermCoverage;

constexpr std::size_t kPagesRead = 5;      // of the pages found, how many are cut into passages
constexpr std::size_t kPassagesRead = 48;  // of the passages, how many the encoder compares
constexpr std::size_t kCitations = 3;

// What speaks for a passage, and how much. Round numbers: neighbouring ones do about as well.
constexpr double kContextWeight = 0.4;
constexpr double kAddedWeight = 0.3;
constexpr double kKindWeight = 0.2;
constexpr double kPageWeight = 2.0;
constexpr double kSimilarityWeight = 0.5;

// Confidence: the probability that the documents hold an answer, a logistic of four signs; each
// slope is about one over its sign's spread. The threshold declines about one answerable question
// in twenty.
constexpr double kCoverageSlope = 2.0;
constexpr double kNumbersSlope = 2.0;
constexpr double kNamesSlope = 1.25;
constexpr double kCosineSlope = 3.0;
constexpr double kIntercept = -2.5;
constexpr double kDeclineBelow = 0.55;

// A passage that might answer.
struct Candidate {
  const Page* page = nullptr;
  const FoundPage* found = nullptr;
  Passage passage;
  double score = 0;
};

// Pages found and read, the question, and what is known of its words.
struct Reading {
  Query query;
  text::AnswerKind kind = text::AnswerKind::text;
  std::vector<FoundPage> found;
  std::vector<Page> pages;  // of the first `kPagesRead`
};

double share_of(const std::vector<std::string>& wanted, const std::vector<std::string>& present) {
  if (wanted.empty()) return 0;
  const auto count = std::count_if(wanted.begin(), wanted.end(), [&](const std::string& term) {
    return std::find(present.begin(), present.end(), term) != present.end();
  });
  return static_cast<double>(count) / static_cast<double>(wanted.size());
}

// Everything but the encoder's opinion.
double plain_score(const Reading& reading, const TermCoverage& coverage,
                   const Candidate& candidate) {
  const std::vector<std::string> own = text::terms(candidate.passage.text);
  std::vector<std::string> context;
  for (std::string& term : text::terms(candidate.passage.context)) {
    if (std::find(own.begin(), own.end(), term) == own.end()) context.push_back(std::move(term));
  }
  return coverage.in_terms(own) + kContextWeight * coverage.in_terms(context) +
         kAddedWeight * share_of(reading.query.added_terms, own) +
         kKindWeight *
             retrieve::kind_fit(candidate.passage.text, reading.kind, reading.query.core) +
         kPageWeight * candidate.found->score;
}

void sort_best_first(std::vector<Candidate>* candidates) {
  std::stable_sort(candidates->begin(), candidates->end(),
                   [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
}

std::vector<Candidate> collect(const Reading& reading, const TermCoverage& coverage) {
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < reading.pages.size(); ++i) {
    for (Passage& passage : retrieve::passages_of(reading.pages[i])) {
      Candidate candidate{&reading.pages[i], &reading.found[i], std::move(passage), 0};
      candidate.score = plain_score(reading, coverage, candidate);
      candidates.push_back(std::move(candidate));
    }
  }
  sort_best_first(&candidates);
  if (candidates.size() > kPassagesRead) candidates.resize(kPassagesRead);
  return candidates;
}

// Adds the cosine between question and passage, if the search used the encoder at all.
void compare_meaning(const session::Context& context, const Reading& reading,
                     std::vector<Candidate>* candidates) {
  constexpr std::size_t kContextBytes = 100;
  std::vector<std::string> texts = {reading.query.core};
  for (const Candidate& candidate : *candidates) {
    std::string head = valid_utf8(candidate.passage.context.substr(0, kContextBytes));
    texts.push_back((head.empty() ? "" : head + ": ") + candidate.passage.text);
  }
  const Matrix vectors = context.session.embed(texts);
  for (std::size_t i = 0; i < candidates->size(); ++i) {
    double cosine = 0;
    for (std::size_t d = 0; d < vectors.cols; ++d) {
      cosine += static_cast<double>(vectors.row(0)[d]) * vectors.row(i + 1)[d];
    }
    (*candidates)[i].score += kSimilarityWeight * cosine;
  }
  sort_best_first(candidates);
}

// Terms of the question's capitalised words, the first of a sentence left out.
std::vector<std::string> name_terms(const Query& query) {
  std::vector<std::string> names;
  bool begins = true;
  std::string word;
  for (const char c : query.core + " ") {
    if (c != ' ') {
      word += c;
      continue;
    }
    if (!begins && !word.empty() && std::isupper(static_cast<unsigned char>(word.front()))) {
      for (std::string& term : text::terms(word)) names.push_back(std::move(term));
    }
    if (!word.empty()) begins = word.back() == '.' || word.back() == '?' || word.back() == '!';
    word.clear();
  }
  std::erase_if(names, [&](const std::string& name) {
    return std::find(query.asked_terms.begin(), query.asked_terms.end(), name) ==
           query.asked_terms.end();
  });
  return names;
}

bool has_digit(const std::string& term) {
  return std::any_of(term.begin(), term.end(), [](unsigned char c) { return std::isdigit(c); });
}

// The share of the question's numbers that stand on `page`; 1 when it has none.
double numbers_on(const TermCoverage& coverage, std::uint32_t page) {
  int numbers = 0, present = 0;
  for (std::size_t term = 0; term < coverage.terms().size(); ++term) {
    if (!has_digit(coverage.terms()[term])) continue;
    ++numbers;
    present += coverage.holds(page, term) ? 1 : 0;
  }
  return numbers == 0 ? 1.0 : static_cast<double>(present) / numbers;
}

// Whether each name of the question stands on one of the first three pages.
bool names_found(const Reading& reading, const TermCoverage& coverage) {
  for (const std::string& name : name_terms(reading.query)) {
    bool found = false;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, reading.found.size()); ++i) {
      found = found || coverage.holds(reading.found[i].page, name);
    }
    if (!found) return false;
  }
  return true;
}

double best_cosine(const Reading& reading) {
  double best = 0;
  for (const FoundPage& page : reading.found) {
    for (const NamedScore& part : page.scores) {
      if (part.scorer == "text") best = std::max(best, part.score);
    }
  }
  return best;
}

double confidence(const session::Context& context, const Reading& reading,
                  const TermCoverage& coverage, const session::Pool& pool, const Candidate& best) {
  const double covered = coverage.best_in(pool);
  const double numbers = numbers_on(coverage, best.found->page);
  const double names = names_found(reading, coverage) ? 0 : -1;
  const double cosine = best_cosine(reading);
  if (context.events.wants_fields()) {
    const Json fields = {
        {"coverage", covered}, {"numbers", numbers}, {"names", names}, {"cosine", cosine}};
    context.events.tell({.step = "confidence", .fields = dump_json(fields)});
  }
  const double z = kCoverageSlope * covered + kNumbersSlope * numbers + kNamesSlope * names +
                   kCosineSlope * cosine + kIntercept;
  return 1 / (1 + std::exp(-z));
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

Answer no_answer() {
  Answer answer;
  answer.answer = kNotAnswerable;
  return answer;
}

Answer answer_extractively(session::Context& context, const Question& question,
                           const PipelineOptions& options) {
  Reading reading;
  reading.query = retrieve::prepare_query(question.text);
  reading.kind = text::answer_kind(question.text);
  reading.found = retrieve::search(context, question.text, options.search);
  Answer answer = no_answer();
  answer.retrieved = retrieve::retrieved_pages(context, reading.found);
  for (std::size_t i = 0; i < std::min(kPagesRead, reading.found.size()); ++i) {
    reading.pages.push_back(context.session.corpus().page(reading.found[i].page));
  }
  const TermCoverage coverage(context, reading.query.asked_terms);
  std::vector<Candidate> candidates = collect(reading, coverage);
  if (candidates.empty()) {
    context.events.tell({.step = "empty_retrieval"});
    return answer;
  }
  if (best_cosine(reading) > 0) compare_meaning(context, reading, &candidates);

  const Candidate& best = candidates.front();
  const session::Pool pool = context.session.corpus().pool(options.search.docs);
  answer.confidence = confidence(context, reading, coverage, pool, best);
  for (std::size_t i = 0; i < std::min(kCitations, candidates.size()); ++i) {
    answer.citations.push_back(cite(context, candidates[i]));
  }
  const double threshold =
      options.reader.min_confidence < 0 ? kDeclineBelow : options.reader.min_confidence;
  answer.answerable = answer.confidence >= threshold;
  if (answer.answerable) {
    answer.answer = retrieve::answer_value(*best.page, best.passage, reading.kind, reading.query)
                        .value_or(best.passage.text);
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
