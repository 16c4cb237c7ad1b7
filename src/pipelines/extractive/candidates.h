// Ranks the snippets (sentences and table rows) of found pages for a question.
#pragma once

#include <optional>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/retrieve/coverage.h"
#include "fineprint/retrieve/query.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/session/context.h"
#include "fineprint/text/answer_kind.h"

#include "pipelines/extractive/subject.h"
#include "pipelines/reading/snippets.h"

namespace fineprint::pipelines::extractive {

// A question, the pages found for it, and facts about its words.
struct AskedPages {
  AskedPages(session::Context& context, const std::string& question,
             const retrieve::SearchOptions& options, bool for_qa_model);

  // Adds pages that are read although the search did not find them, with a score of 0. Pages that
  // were found but not read are no longer in `found` then.
  void add(const session::Context& context, const std::vector<PageId>& more);

  retrieve::Query query;
  text::AnswerKind kind;
  std::vector<retrieve::FoundPage> ranking;  // see retrieve::RankedPages
  std::vector<retrieve::FoundPage> found;
  std::vector<double> page_odds;  // log-odds of `found`, by the search alone
  // The contents of the first found pages. A table that goes on from an earlier page has its header
  // again, in words after the page's own.
  std::vector<Page> pages;
  std::vector<std::size_t> own_words;  // of each of `pages`: how many words are its own
  std::vector<std::optional<PageId>>
      begins;  // of each of `pages`: where such a table has its header
  retrieve::TermCoverage coverage;
  SubjectIndex subjects;
};

// A snippet that might be the answer; it points into the AskedPages object.
struct SnippetCandidate {
  const Page* page = nullptr;
  const retrieve::FoundPage* found = nullptr;
  Snippet snippet;
  SubjectFit subject;
  double cosine = 0;  // with the question; 0 if no encoder was used
  double score = 0;
};

// Returns all candidates of the page at `place` in `pages`, in reading order, scored without the
// encoder.
std::vector<SnippetCandidate> candidates_on(const AskedPages& asked, std::size_t place);

// Returns the best candidates of all pages, best first.
std::vector<SnippetCandidate> ranked_candidates(const session::Context& context,
                                                const AskedPages& asked);

// Adds a QA model's `relevance` of the first pages (log-odds) to the scores of their candidates,
// and sorts the candidates again.
void add_relevance(const AskedPages& asked, const std::vector<double>& relevance,
                   std::vector<SnippetCandidate>* candidates);

// Returns the best cosine of a found page; 0 if no encoder was used.
double best_cosine(const AskedPages& asked);

}  // namespace fineprint::pipelines::extractive
