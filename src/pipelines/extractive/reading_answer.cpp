// Lets a QA model read, carries out what it points at, and finds the snippets that show it.
#include "pipelines/extractive/reading_answer.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "fineprint/core/json.h"
#include "fineprint/retrieve/page_reading.h"

#include "pipelines/extractive/pair_value.h"

namespace fineprint::pipelines::extractive {
namespace {

using retrieve::FoundPassage;

// Word pieces per question. A model of 22 million parameters reads about 2,700 of them a second on
// a core with AVX2.
constexpr std::size_t kPiecesRead = 2500;

bool shares_words(const Snippet& quote, const std::vector<std::uint32_t>& words) {
  return std::ranges::any_of(words, [&](std::uint32_t word) {
    return quote.first_word <= word && word < quote.first_word + quote.word_count;
  });
}

// Returns the score of the best candidate in the passage, or 0 if it holds none. `candidates` are
// sorted, so the first match is the best.
double promise_of(const evidence::PagePassage& passage, const Page& page,
                  const std::vector<SnippetCandidate>& candidates) {
  const std::vector<std::uint32_t> words = passage.all_words();
  for (const SnippetCandidate& candidate : candidates) {
    if (candidate.page == &page && shares_words(candidate.snippet, words)) return candidate.score;
  }
  return 0;
}

std::vector<FoundPassage> promising_passages(const AskedPages& asked,
                                             const std::vector<SnippetCandidate>& candidates) {
  std::vector<FoundPassage> all;
  for (std::size_t place = 0; place < asked.pages.size(); ++place) {
    const Page& page = asked.pages[place];
    for (evidence::PagePassage& passage : evidence::page_passages(page)) {
      const double promise = promise_of(passage, page, candidates);
      all.push_back({place, std::move(passage), promise});
    }
  }
  return retrieve::most_promising(std::move(all), kPiecesRead);
}

// Sorts pages by their best passage. Pages that were not read come last, in their order.
std::vector<retrieve::FoundPage> sorted_by_passages(std::vector<retrieve::FoundPage> found,
                                                    const std::vector<FoundPassage>& passages,
                                                    const evidence::Execution& execution) {
  std::map<std::size_t, double> best = retrieve::best_of_each_page(passages, execution.relevance);
  std::vector<std::size_t> order;
  order.reserve(found.size());
  for (const auto& [place, relevance] : best) order.push_back(place);
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t place) { return best[place]; });
  for (std::size_t place = 0; place < found.size(); ++place) {
    if (!best.contains(place)) order.push_back(place);
  }
  std::vector<retrieve::FoundPage> sorted;
  sorted.reserve(order.size());
  for (const std::size_t place : order) sorted.push_back(std::move(found[place]));
  return sorted;
}

// Returns the relevance of each page's best passage. A page that was not read gets the least value,
// so that it gains nothing over the pages that were.
std::vector<double> page_relevance(const std::vector<FoundPassage>& passages,
                                   const std::vector<models::PassageReading>& readings,
                                   std::size_t pages) {
  std::vector<double> values;
  values.reserve(readings.size());
  for (const models::PassageReading& reading : readings) values.push_back(reading.relevance);
  std::vector<double> relevance(pages, *std::ranges::min_element(values));
  for (const auto& [place, best] : retrieve::best_of_each_page(passages, values)) {
    relevance[place] = best;
  }
  return relevance;
}

// Returns the words that the model pointed at, or all words of the passage if it pointed at none
// (yes or no).
std::vector<std::uint32_t> proving_words(const evidence::Execution& execution,
                                         const evidence::PagePassage& passage) {
  if (execution.evidence.empty()) return passage.all_words();
  std::vector<std::uint32_t> words;
  for (const evidence::Place& place : execution.evidence) {
    const std::vector<std::uint32_t> own = passage.words_at(place);
    words.insert(words.end(), own.begin(), own.end());
  }
  return words;
}

// Returns the snippets that hold the words the model pointed at, in that order, or the best
// candidate of the passage if it pointed at none.
std::vector<SnippetCandidate> proof_of(const AskedPages& asked,
                                       const evidence::Execution& execution,
                                       const FoundPassage& passage,
                                       const std::vector<SnippetCandidate>& candidates) {
  const Page& page = asked.pages[passage.place];
  const std::vector<std::uint32_t> words = proving_words(execution, passage.passage);
  std::vector<SnippetCandidate> proof;
  if (execution.evidence.empty()) {
    const auto best = std::ranges::find_if(candidates, [&](const SnippetCandidate& candidate) {
      return candidate.page == &page && shares_words(candidate.snippet, words);
    });
    if (best != candidates.end()) proof.push_back(*best);
    return proof;
  }
  const std::vector<SnippetCandidate> quotes = candidates_on(asked, passage.place);
  std::set<std::uint32_t> quoted;
  for (const std::uint32_t word : words) {
    const auto quote = std::ranges::find_if(quotes, [&](const SnippetCandidate& candidate) {
      return shares_words(candidate.snippet, {word});
    });
    if (quote == quotes.end() || !quoted.insert(quote->snippet.first_word).second) continue;
    const auto known = std::ranges::find_if(candidates, [&](const SnippetCandidate& candidate) {
      return candidate.page == &page && candidate.snippet.first_word == quote->snippet.first_word;
    });
    // The known candidate has the encoder's score, which a new one lacks.
    proof.push_back(known == candidates.end() ? *quote : *known);
  }
  return proof;
}

void tell_reading(const session::Context& context, const ReadAnswer& read, std::size_t passages,
                  double ms) {
  if (!context.events.wants_fields()) return;
  const evidence::Execution& execution = read.execution;
  const Json fields = {
      {"passages", passages},
      {"operator", models::kQaOperatorNames[static_cast<std::size_t>(execution.operation)]},
      {"derivation", execution.derivation},
      {"probability", execution.probability},
      {"nothing", execution.nothing}};
  context.events.tell({.step = "read", .ms = ms, .fields = dump_json(fields)});
}

}  // namespace

ReadAnswer read_answer(const session::Context& context, const models::QaModel& model,
                       const AskedPages& asked, std::vector<SnippetCandidate> candidates) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<FoundPassage> chosen = promising_passages(asked, candidates);
  std::vector<models::QaPassage> passages;
  passages.reserve(chosen.size());
  for (const FoundPassage& one : chosen) passages.push_back(one.passage.passage);
  std::vector<models::PassageReading> readings = model.read(asked.query.core, passages);
  ReadAnswer read;
  read.candidates = std::move(candidates);
  if (!readings.empty()) {
    add_relevance(asked, page_relevance(chosen, readings, asked.pages.size()), &read.candidates);
  }
  // Added after add_relevance, which needs the model's opinion without that of the search.
  for (std::size_t i = 0; i < readings.size(); ++i) {
    readings[i].relevance =
        retrieve::joint_odds(readings[i].relevance, asked.page_odds[chosen[i].place]);
  }
  read.execution = evidence::execute(asked.query.core, passages, readings);
  read.pages = sorted_by_passages(asked.found, chosen, read.execution);
  if (!read.execution.empty()) {
    const FoundPassage& passage = chosen[read.execution.passage];
    read.proof = proof_of(asked, read.execution, passage, read.candidates);
    read.is_label =
        !read.execution.evidence.empty() &&
        is_all_label(asked.pages[passage.place], proving_words(read.execution, passage.passage));
  }
  const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - start;
  tell_reading(context, read, chosen.size(), ms.count());
  return read;
}

}  // namespace fineprint::pipelines::extractive
