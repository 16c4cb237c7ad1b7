// Cuts pages into snippets, scores and sorts them.
#include "pipelines/extractive/candidates.h"

#include <algorithm>
#include <iterator>

#include "fineprint/core/unicode.h"
#include "fineprint/retrieve/page_reading.h"
#include "fineprint/text/continued_table.h"
#include "fineprint/text/terms.h"

#include "pipelines/extractive/answer_value.h"
#include "pipelines/extractive/asked_part.h"
#include "pipelines/extractive/cell_value.h"
#include "pipelines/extractive/named_row.h"
#include "pipelines/extractive/pair_value.h"
#include "pipelines/extractive/said_value.h"

namespace fineprint::pipelines::extractive {
namespace {

// How many of the found pages are cut into snippets: fewer if they are only quoted, more if a QA
// model reads them.
constexpr std::size_t kPagesQuoted = 5, kPagesRead = 10;
constexpr std::size_t kSnippetsRead = 48;  // snippets that the encoder compares

// Weights of the evidence for a snippet. They are round numbers: neighbouring ones do about as
// well.
constexpr double kContextWeight = 0.4;
constexpr double kAddedWeight = 0.3;
constexpr double kKindWeight = 0.2;
constexpr double kAddressWeight = 1;  // instead, for addresses: nothing else looks like one
constexpr double kLabelWeight = 1.2;
constexpr double kSubjectWeight = 0.2;  // once for names and once for years
constexpr double kPageWeight = 2.0;
constexpr double kSimilarityWeight = 0.5;

double share_of(const std::vector<std::string>& wanted, const std::vector<std::string>& present) {
  if (wanted.empty()) return 0;
  const auto count = std::count_if(wanted.begin(), wanted.end(), [&](const std::string& term) {
    return std::find(present.begin(), present.end(), term) != present.end();
  });
  return static_cast<double>(count) / static_cast<double>(wanted.size());
}

// Returns whether the snippet only has words of the question, as a label without its value. Only a
// question for yes or no is answered by them.
bool repeats_question(const Snippet& snippet, const std::vector<std::string>& own,
                      const AskedPages& asked) {
  if (asked.kind == text::AnswerKind::yes_no || snippet.is_pair()) return false;
  return std::ranges::all_of(own, [&](const std::string& term) {
    return std::ranges::find(asked.query.asked_terms, term) != asked.query.asked_terms.end();
  });
}

// Returns the score without the encoder's similarity.
double plain_score(const AskedPages& asked, const SnippetCandidate& candidate) {
  const std::vector<std::string> own =
      text::terms(candidate.snippet.text, candidate.page->language);
  std::vector<std::string> context;
  for (std::string& term : text::terms(candidate.snippet.context, candidate.page->language)) {
    if (std::find(own.begin(), own.end(), term) == own.end()) context.push_back(std::move(term));
  }
  const double kind =
      kind_fit(candidate.snippet.text, asked.kind, asked.query.core, candidate.page->language);
  // A row that names columns, or a heading, is context rather than an answer.
  const Snippet& snippet = candidate.snippet;
  const bool tells_nothing = snippet.names_columns || snippet.is_heading ||
                             repeats_question(candidate.snippet, own, asked);
  const double own_weight = tells_nothing ? kContextWeight : 1;
  return own_weight * asked.coverage.in_terms(own) +
         kContextWeight * asked.coverage.in_terms(context) +
         kAddedWeight * share_of(asked.query.added_terms, own) +
         (text::is_address(asked.kind) ? kAddressWeight : kKindWeight) * kind +
         kLabelWeight * candidate.subject.names *
             label_fit(*candidate.page, candidate.snippet, asked.query) +
         kSubjectWeight * (candidate.subject.names + candidate.subject.years) +
         kPageWeight * candidate.found->score;
}

void sort_best_first(std::vector<SnippetCandidate>* candidates) {
  std::stable_sort(
      candidates->begin(), candidates->end(),
      [](const SnippetCandidate& a, const SnippetCandidate& b) { return a.score > b.score; });
}

std::vector<SnippetCandidate> collect(const AskedPages& asked) {
  std::vector<SnippetCandidate> candidates;
  for (std::size_t place = 0; place < asked.pages.size(); ++place) {
    for (SnippetCandidate& one : candidates_on(asked, place)) candidates.push_back(std::move(one));
  }
  // Sorted before the cut, so that the encoder compares only the most promising snippets.
  sort_best_first(&candidates);
  if (candidates.size() > kSnippetsRead) candidates.resize(kSnippetsRead);
  return candidates;
}

// Returns the terms that documents must hold to answer the question.
std::vector<std::string> telling_terms(const retrieve::Query& query) {
  std::vector<std::string> terms = query.asked_terms;
  std::erase_if(terms, [&](const std::string& term) { return means_issuer(query, term); });
  // Contracts number their clauses and do not call them so.
  if (const std::optional<AskedPart> part = asked_part(query)) {
    const std::vector<std::string> kind = text::terms(part->kind, query.language);
    std::erase_if(terms, [&](const std::string& term) {
      return std::ranges::find(kind, term) != kind.end();
    });
  }
  return terms.empty() ? query.asked_terms : terms;
}

// Adds the cosine between the question and each snippet to its score.
void compare_meaning(const session::Context& context, const AskedPages& asked,
                     std::vector<SnippetCandidate>* candidates) {
  constexpr std::size_t kContextBytes = 100;
  std::vector<std::string> texts;
  for (const SnippetCandidate& candidate : *candidates) {
    std::string head = valid_utf8(candidate.snippet.context.substr(0, kContextBytes));
    texts.push_back((head.empty() ? "" : head + ": ") + candidate.snippet.text);
  }
  const Matrix question = context.session.embed({asked.query.core});
  const Matrix vectors = context.session.embed(texts, models::TextRole::passage);
  for (std::size_t i = 0; i < candidates->size(); ++i) {
    SnippetCandidate& candidate = (*candidates)[i];
    for (std::size_t d = 0; d < vectors.cols; ++d) {
      candidate.cosine += static_cast<double>(question.row(0)[d]) * vectors.row(i)[d];
    }
    candidate.score += kSimilarityWeight * candidate.cosine;
  }
  sort_best_first(candidates);
}

// A label alone is no answer, however well it fits.
void put_labels_last(const AskedPages& asked, std::vector<SnippetCandidate>* candidates) {
  std::ranges::stable_partition(*candidates, [&](const SnippetCandidate& one) {
    const Snippet& snippet = one.snippet;
    return !repeats_question(snippet, text::terms(snippet.text, one.page->language), asked);
  });
}

// Raises rows and items that the question names, as labels of pairs are raised: the first rows with
// a cell that it names by row and column, because the table is compared as a whole, those with a
// name as label, values next to the word asked about, items with a box to tick, and numbered parts.
void raise_named(const AskedPages& asked, std::vector<SnippetCandidate>* candidates) {
  constexpr std::size_t kFirst = 12;
  const std::optional<AskedPart> part = asked_part(asked.query);
  for (std::size_t i = 0; i < candidates->size(); ++i) {
    SnippetCandidate& one = (*candidates)[i];
    const bool has_cell =
        i < kFirst && cell_value(*one.page, one.snippet, asked.kind, asked.query).has_value();
    const bool is_item = asked.kind == text::AnswerKind::yes_no &&
                         item_yes_no(*one.page, one.snippet, asked.query).has_value();
    const bool is_part = part && begins_asked_part(one.snippet, *part);
    const bool is_said = said_value(*one.page, one.snippet, asked.kind, asked.query).has_value();
    if (has_cell || is_item || is_part || is_said ||
        is_row_of_name(*one.page, one.snippet, asked.query, asked.subjects.subjects().names)) {
      one.score += kLabelWeight;
    }
  }
  sort_best_first(candidates);
}

std::vector<Page> first_pages(const session::Context& context,
                              const std::vector<retrieve::FoundPage>& found, std::size_t count) {
  std::vector<Page> pages;
  for (std::size_t i = 0; i < std::min(count, found.size()); ++i) {
    pages.push_back(context.session.corpus().page(found[i].page));
  }
  return pages;
}

// What earlier pages give to tables that go on: see AskedPages.
struct CarriedHeaders {
  std::vector<std::size_t> own_words;
  std::vector<std::optional<PageId>> begins;
};

// Adds headers to tables that go on, from above on the page or from earlier pages.
CarriedHeaders with_carried_headers(const session::Context& context,
                                    const std::vector<retrieve::FoundPage>& found,
                                    std::vector<Page>* pages) {
  const session::Corpus& corpus = context.session.corpus();
  CarriedHeaders carried;
  for (std::size_t i = 0; i < pages->size(); ++i) {
    Page& page = (*pages)[i];
    carried.own_words.push_back(page.words.size());
    carried.begins.emplace_back();
    for (const text::CarriedHeader& header : text::repeated_headers(page)) {
      page = text::with_header(std::move(page), header);
    }
    const DocumentId document = corpus.document_of(found[i].page);
    Page earlier;
    const auto header = text::carried_header(page, [&](int number) -> const Page* {
      if (number < 1) return nullptr;
      earlier = corpus.page(corpus.page_number(document, number));
      return &earlier;
    });
    if (!header) continue;
    carried.begins.back() = corpus.page_number(document, header->page);
    page = text::with_header(std::move(page), *header);
  }
  return carried;
}

// Returns the pages found, and sets the ranking that they are from. Only the first `read` of a
// search are read, so with a further question each of the two searches gives its first ones.
std::vector<retrieve::FoundPage> found_for(session::Context& context, const retrieve::Query& query,
                                           const retrieve::SearchOptions& options, std::size_t read,
                                           std::vector<retrieve::FoundPage>* ranking) {
  retrieve::SearchOptions each = options;
  each.also.clear();
  auto [both, ranked] = retrieve::search_ranked(context, query.question, each);
  *ranking = std::move(ranked);
  if (options.also.empty()) return both;
  both.resize(std::min(both.size(), read));
  std::vector<retrieve::FoundPage> further = retrieve::search(context, options.also, each);
  further.resize(std::min(further.size(), read));
  for (retrieve::FoundPage& one : further) {
    const auto known = std::ranges::find(both, one.page, &retrieve::FoundPage::page);
    if (known == both.end()) both.push_back(std::move(one));
  }
  return both;
}

std::size_t pages_to_read(const retrieve::SearchOptions& options, bool for_qa_model) {
  const std::size_t read = for_qa_model ? kPagesRead : kPagesQuoted;
  return options.also.empty() ? read : 2 * read;
}

// A reranker's scores are of another kind than those of Fusion::weighted: only ranks count then.
retrieve::Fusion kind_of_scores(const retrieve::SearchOptions& options, bool for_qa_model) {
  return for_qa_model && !options.rerank.empty() ? retrieve::Fusion::rrf : options.fusion;
}

}  // namespace

AskedPages::AskedPages(session::Context& context, const std::string& question,
                       const retrieve::SearchOptions& options, bool for_qa_model)
    : query(retrieve::prepare_query(question, context.session.corpus().languages(), options.query)),
      kind(text::answer_kind(question, query.language)),
      found(found_for(context, query, options, for_qa_model ? kPagesRead : kPagesQuoted, &ranking)),
      page_odds(retrieve::search_odds(found, kind_of_scores(options, for_qa_model))),
      pages(first_pages(context, found, pages_to_read(options, for_qa_model))),
      coverage(context, telling_terms(query), query.spellings),
      subjects(context, subjects_of(query)) {
  CarriedHeaders carried = with_carried_headers(context, found, &pages);
  own_words = std::move(carried.own_words);
  begins = std::move(carried.begins);
}

void AskedPages::add(const session::Context& context, const std::vector<PageId>& more) {
  if (more.empty()) return;
  found.resize(pages.size());
  page_odds.resize(pages.size());
  std::vector<retrieve::FoundPage> added;
  for (const PageId page : more)
    added.push_back({.page = page, .scores = {}, .chunk = {}, .masks = {}});
  std::vector<Page> contents = first_pages(context, added, added.size());
  const CarriedHeaders carried = with_carried_headers(context, added, &contents);
  const double least = page_odds.empty() ? 0 : *std::ranges::min_element(page_odds);
  found.insert(found.end(), added.begin(), added.end());
  page_odds.insert(page_odds.end(), added.size(), least);
  own_words.insert(own_words.end(), carried.own_words.begin(), carried.own_words.end());
  begins.insert(begins.end(), carried.begins.begin(), carried.begins.end());
  std::ranges::move(contents, std::back_inserter(pages));
}

std::vector<SnippetCandidate> candidates_on(const AskedPages& asked, std::size_t place) {
  std::vector<SnippetCandidate> candidates;
  for (Snippet& snippet : snippets_of(asked.pages[place])) {
    // A header of an earlier page is not on this one.
    if (snippet.first_word >= asked.own_words[place]) continue;
    SnippetCandidate candidate{.page = &asked.pages[place],
                               .found = &asked.found[place],
                               .snippet = std::move(snippet),
                               .subject = {}};
    candidate.subject = asked.subjects.fit(candidate.found->page, candidate.snippet);
    if (asked.begins[place] && candidate.snippet.is_row) {
      const SubjectFit begun = asked.subjects.fit(*asked.begins[place], candidate.snippet);
      candidate.subject.names = std::max(candidate.subject.names, begun.names);
      candidate.subject.years = std::max(candidate.subject.years, begun.years);
    }
    candidate.score = plain_score(asked, candidate);
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

std::vector<SnippetCandidate> ranked_candidates(const session::Context& context,
                                                const AskedPages& asked) {
  std::vector<SnippetCandidate> candidates = collect(asked);
  // Without the scorer `text` no encoder is loaded, and none is loaded just for this.
  if (!candidates.empty() && best_cosine(asked) > 0) {
    compare_meaning(context, asked, &candidates);
  }
  raise_named(asked, &candidates);
  put_labels_last(asked, &candidates);
  return candidates;
}

void add_relevance(const AskedPages& asked, const std::vector<double>& relevance,
                   std::vector<SnippetCandidate>* candidates) {
  for (SnippetCandidate& candidate : *candidates) {
    const auto place = static_cast<std::size_t>(candidate.page - asked.pages.data());
    candidate.score += kPageWeight * retrieve::relevance_in_score(relevance[place]);
  }
  sort_best_first(candidates);
  put_labels_last(asked, candidates);
}

double best_cosine(const AskedPages& asked) {
  double best = 0;
  for (const retrieve::FoundPage& page : asked.found) {
    for (const NamedScore& part : page.scores) {
      if (part.scorer == "text") best = std::max(best, part.score);
    }
  }
  return best;
}

}  // namespace fineprint::pipelines::extractive
