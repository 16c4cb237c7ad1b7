// Finds the noun by the words around it.
#include "pipelines/extractive/asked_noun.h"

#include <algorithm>
#include <array>
#include <set>

#include "fineprint/core/unicode.h"
#include "fineprint/text/language.h"
#include "fineprint/text/pattern.h"
#include "fineprint/text/question.h"
#include "fineprint/text/terms.h"

#include "pipelines/extractive/demands.h"

namespace fineprint::pipelines::extractive {
namespace {

using text::Pattern;

// Words at which the noun ends.
#define FINEPRINT_NOUN_END                                                                        \
  " of | for | in | on | at | to | from | by | with | that | which | who | whom | when | where |" \
  " during | per | and | or | as | than | between | within | about | after | before | under |"    \
  " is | are | was | were | does | did | do | has | have | had | can | could | shall | should |"  \
  " will | would | must | may | might | be | been | used | made | called | given "

// "what is the NOUN of", "who was the NOUN", "how much is the NOUN".
const Pattern& after_article() {
  static const Pattern kNoun(
      R"((?x)\b (?: what | who | which | how \s+ (?: much | large | high | big | long | old | far ) )
         (?: 's | \s+ (?: is | are | was | were ) ) \s+ (?: the | a | an | its | his | her | their ) \s+
         ( (?: (?! (?:)" FINEPRINT_NOUN_END R"() \b ) [\p{L}\d'’-]+ \s* ){1,6} ))",
      Pattern::Case::sensitive);
  return kNoun;
}

// "which NOUN does", "in which NOUN was". Without a verb that ends it, the noun is one word.
const Pattern& after_which() {
  static const Pattern kNoun(R"((?x)\b (?: which | what ) \s+ (?! (?:)" FINEPRINT_NOUN_END R"() \b )
         (?: ( (?: (?! (?:)" FINEPRINT_NOUN_END R"() \b ) [\p{L}\d'’-]+ \s+ ){1,3} )
             (?= (?: of | is | are | was | were | does | did | do | has | have | had | can | could | shall |
                 should | will | would | must | may | might ) \b ) | ( [\p{L}\d'’-]+ ) ))",
                             Pattern::Case::sensitive);
  return kNoun;
}

#undef FINEPRINT_NOUN_END

// Stems of words that say what kind of thing the answer is.
bool is_kind_of_answer(const std::string& term) {
  static const std::set<std::string, std::less<>> kKinds = {
      "name",  "number", "amount",  "valu",      "date",    "day",   "month",   "year",
      "time",  "period", "kind",    "type",      "sort",    "citi",  "town",    "countri",
      "place", "locat",  "person",  "peopl",     "man",     "woman", "compani", "firm",
      "organ", "group",  "thing",   "percentag", "percent", "share", "proport", "part",
      "total", "differ", "reason",  "word",      "term",    "way",   "exampl",  "titl",
      "state", "region", "languag", "nation",    "item",    "one",   "result",  "answer"};
  return kKinds.contains(term);
}

// Returns the part after the last owner: "locker" in "applicant's locker".
std::string_view after_owner(std::string_view noun) {
  for (const std::string_view mark : {std::string_view("'s "), std::string_view("’s ")}) {
    const std::size_t at = noun.rfind(mark);
    if (at != std::string_view::npos) noun.remove_prefix(at + mark.size());
  }
  return noun;
}

}  // namespace

std::vector<std::string> asked_noun(std::string_view question, std::string_view language) {
  if (!text::is_english(language)) return {};
  std::vector<std::string> terms = text::counted_terms(question);
  if (terms.empty()) {
    const std::string folded = fold(question);
    auto found = after_article().matches(folded);
    if (found.empty()) found = after_which().matches(folded);
    if (found.empty()) return {};
    const auto& groups = found.front();
    const std::string noun(groups[1].empty() && groups.size() > 2 ? groups[2] : groups[1]);
    terms = text::terms(after_owner(noun));
  }
  std::erase_if(terms, is_kind_of_answer);
  return terms;
}

}  // namespace fineprint::pipelines::extractive
