// Prepares a question for the scorers: terms, language, named pages and glossary words.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/option.h"
#include "fineprint/text/question.h"

namespace fineprint::retrieve {

// A search term and how much it counts in BM25.
struct WeightedTerm {
  std::string term;
  double weight = 1;
  std::vector<std::string> spellings;  // of the same word, in pages of other languages
};

// Other spellings of a term, by term. The stemmers of other languages may leave a different stem of
// the same word: for example, "mitarbeiterinn" in one language and "mitarbeiterinnen" in another.
using Spellings = std::map<std::string, std::vector<std::string>>;

// Additions to a question's own words. No paper has either, so both can be left out.
struct QueryOptions {
  bool named_pages = true;  // pages that the question names ("on page 5") get a bonus
  bool glossary = true;     // words are added that accounting terms are computed from
};

// The command-line and file options of QueryOptions.
const OptionTable<QueryOptions>& query_options();

// A prepared question.
struct Query {
  std::string question;                      // as it was asked; page encoders read this
  std::string core;                          // without instructions on how to answer
  std::string language;                      // ISO 639 code
  std::string expansion;                     // words that the glossary adds; may be empty
  std::vector<std::string> asked_terms;      // distinct terms of the core
  std::vector<std::string> added_terms;      // distinct terms of the expansion alone
  std::size_t terms_left_out = 0;            // distinct terms of the core beyond kMostTerms
  Spellings spellings;                       // only of asked terms that have any
  std::vector<text::PageRange> named_pages;  // "on page 5"; not among the terms

  // Returns both kinds of terms: asked terms with weight 1, added ones with kExpansionWeight.
  std::vector<WeightedTerm> weighted_terms() const;

  // Returns terms of a page with the asked terms in place of their other spellings.
  std::vector<std::string> as_asked(std::vector<std::string> terms) const;
};

// A word that the question uses is better evidence than a word that the glossary adds for it.
inline constexpr double kExpansionWeight = 0.5;

// The largest number of distinct terms that a question is looked up by. A whole document may be
// pasted in, by mistake or to find it again; without the limit, the search time would grow with the
// square of its words.
inline constexpr std::size_t kMostTerms = 1000;

// Prepares a question, in time linear in its length. `stored`: ISO 639 codes of the languages of
// the searched pages (Corpus::languages); terms get spellings for each of them. It has no default,
// because a question is searched and judged by the same terms only if every caller passes the same
// languages. Without QueryOptions::named_pages, the words "page 5" are terms like all others.
Query prepare_query(std::string_view question, std::span<const std::string> stored,
                    const QueryOptions& options = {});

}  // namespace fineprint::retrieve
