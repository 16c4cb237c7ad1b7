// The words that the keyword search leaves out, by kind of word.
#include "text/stop_words.h"

#include <unordered_set>

#include "fineprint/text/language.h"
#include "fineprint/text/terms.h"

#include "text/language_words.h"

namespace fineprint::text {
namespace {

using WordSet = std::unordered_set<std::string_view>;

const WordSet& stop_words() {
  static const WordSet kWords = {
      // articles, determiners, quantifiers
      "a", "an", "the", "this", "that", "these", "those", "any", "each", "every", "either",
      "neither", "some", "such", "both", "all", "same", "own", "other", "another", "more", "most",
      "much", "many", "few", "several",
      // pronouns
      "i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves", "you", "your",
      "yours", "yourself", "he", "him", "his", "himself", "she", "her", "hers", "herself", "it",
      "its", "itself", "they", "them", "their", "theirs", "themselves", "one", "ones", "who",
      "whom", "whose", "which", "what",
      // forms of auxiliary verbs
      "am", "is", "are", "was", "were", "be", "been", "being", "do", "does", "did", "doing", "done",
      "have", "has", "had", "having", "can", "could", "will", "would", "shall", "should", "may",
      "might", "must", "ought", "cannot",
      // prepositions
      "of", "in", "on", "at", "by", "for", "from", "to", "into", "onto", "with", "within",
      "without", "about", "above", "below", "after", "before", "against", "among", "amongst",
      "around", "between", "during", "over", "under", "through", "throughout", "toward", "towards",
      "upon", "up", "down", "out", "off", "per", "via", "until", "since", "across", "along",
      "behind", "beside", "besides", "beyond", "despite",
      // conjunctions and connecting adverbs
      "and", "or", "but", "nor", "if", "then", "else", "than", "as", "because", "while", "when",
      "where", "whereas", "whether", "although", "though", "unless", "so", "thus", "hence",
      "therefore", "however", "also", "too", "very", "just", "only", "again", "further", "here",
      "there", "now", "once", "how", "why", "not", "no", "yet", "still", "already", "rather",
      "quite", "even", "ever", "etc", "eg", "ie"};
  return kWords;
}

// Words that say only that something is asked, not what.
const WordSet& question_words() {
  static const WordSet kWords = {
      "which",     "what",         "who",      "whom",     "whose",     "when",     "where",
      "why",       "how",          "many",     "much",     "according", "based",    "please",
      "tell",      "give",         "answer",   "question", "show",      "shown",    "shows",
      "find",      "explain",      "describe", "mention",  "mentioned", "mentions", "stated",
      "following", "respectively", "let",      "know",     "want"};
  return kWords;
}

}  // namespace

bool is_stop_word(std::string_view folded_word, std::string_view language) {
  if (is_english(language)) return stop_words().contains(folded_word);
  return words_of_language(language).function.contains(folded_word);
}

bool is_question_word(std::string_view folded_word, std::string_view language) {
  if (is_english(language)) return question_words().contains(folded_word);
  return words_of_language(language).asking.contains(folded_word);
}

}  // namespace fineprint::text
