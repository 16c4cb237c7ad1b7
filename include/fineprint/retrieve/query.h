// A question made ready for the scorers.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/text/question.h"

namespace fineprint::retrieve {

struct WeightedTerm {
  std::string term;
  double weight = 1;
  std::vector<std::string> spellings;  // the same word in pages of other languages
};

// What a term's word is in pages of languages other than the question's, where their stemmers leave
// something else of it: "mitarbeiterinn" beside "mitarbeiterinnen".
using Spellings = std::map<std::string, std::vector<std::string>>;

struct Query {
  std::string question;                      // as it was asked: what encoders of pages are given
  std::string core;                          // what is asked, without how to answer
  std::string language;                      // ISO 639 code
  std::string expansion;                     // words that the glossary adds; may be empty
  std::vector<std::string> asked_terms;      // distinct terms of the core
  std::vector<std::string> added_terms;      // distinct terms of the expansion alone
  std::size_t terms_left_out = 0;            // distinct terms of the core after kMostTerms
  Spellings spellings;                       // of asked terms that have any
  std::vector<text::PageRange> named_pages;  // "on page 5"; not among the terms

  // Both kinds of terms, the added ones at kExpansionWeight.
  std::vector<WeightedTerm> weighted_terms() const;
};

// A word that the question itself uses says more than one that stands for it.
inline constexpr double kExpansionWeight = 0.5;

// Distinct terms that a question is looked up by: what is pasted in whole, by mistake or as a
// passage to be found, must not take longer with the square of its words.
inline constexpr std::size_t kMostTerms = 1000;

// Takes time linear in the question's length.
// `stored`: the languages of the pages that are searched (Corpus::languages).
Query prepare_query(std::string_view question, std::span<const std::string> stored = {});

}  // namespace fineprint::retrieve
