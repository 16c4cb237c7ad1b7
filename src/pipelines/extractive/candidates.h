// The sentences and table rows of found pages, ranked for a question.
#pragma once

#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/retrieve/coverage.h"
#include "fineprint/retrieve/passages.h"
#include "fineprint/retrieve/query.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/retrieve/subject.h"
#include "fineprint/session/context.h"
#include "fineprint/text/answer_kind.h"

namespace fineprint::pipelines::extractive {

// The question, the pages found for it, and what is known of its words.
struct Reading {
  Reading(session::Context& context, const std::string& question,
          const retrieve::SearchOptions& options, bool for_reader);

  retrieve::Query query;
  text::AnswerKind kind;
  std::vector<retrieve::FoundPage> found;
  std::vector<double> page_odds;  // of those found, by the search alone
  std::vector<Page> pages;        // the first of those found
  retrieve::TermCoverage coverage;
  retrieve::SubjectIndex subjects;
};

// A passage that might answer; points into the Reading.
struct Candidate {
  const Page* page = nullptr;
  const retrieve::FoundPage* found = nullptr;
  retrieve::Passage passage;
  retrieve::SubjectFit subject;
  double cosine = 0;  // to the question; 0 when no encoder was used
  double score = 0;
};

// All of the page at this place among those found, in reading order, without the encoder's opinion.
std::vector<Candidate> candidates_on(const Reading& reading, std::size_t place);

// Best first.
std::vector<Candidate> ranked_candidates(const session::Context& context, const Reading& reading);

// Adds what a reader's `relevance` of the first pages says to the scores of their candidates, and
// sorts these anew.
void add_relevance(const Reading& reading, const std::vector<double>& relevance,
                   std::vector<Candidate>* candidates);

// The best cosine of a page found; 0 when no encoder was used.
double best_cosine(const Reading& reading);

}  // namespace fineprint::pipelines::extractive
