// Turns text into search terms.
#include "fineprint/text/terms.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>

#include <libstemmer.h>
#include <unicode/uchar.h>

#include "fineprint/core/superscripts.h"
#include "fineprint/core/unicode.h"
#include "fineprint/text/language.h"

#include "text/dictionary_words.h"
#include "text/language_facts.h"
#include "text/stop_words.h"
#include "text/word_forms.h"

namespace fineprint::text {
namespace {

// Phrases that refer to the source instead of naming the subject. A longer phrase comes
// before its own prefixes.
constexpr std::array<std::string_view, 14> kSourcePhrases = {"according to the information in",
                                                             "based on the information in",
                                                             "according to the",
                                                             "based on the",
                                                             "as mentioned in the",
                                                             "as shown in the",
                                                             "as stated in the",
                                                             "as reported in the",
                                                             "mentioned in the",
                                                             "in this document",
                                                             "in the document",
                                                             "in this report",
                                                             "in the report",
                                                             "in the paper"};
// Nouns that may end such a phrase: "according to the report", "based on the slides".
constexpr std::array<std::string_view, 10> kSourceNouns = {
    "document", "report",  "paper",        "slides", "slide",
    "text",     "article", "presentation", "pdf",    "passage"};

bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }

bool digit_at(std::string_view text, std::size_t at) {
  return at < text.size() && is_ascii_digit(text[at]);
}

// Returns true if exactly three digits follow the mark: it separates thousands.
bool separates_thousands(std::string_view text, std::size_t comma) {
  return digit_at(text, comma + 1) && digit_at(text, comma + 2) && digit_at(text, comma + 3) &&
         !digit_at(text, comma + 4);
}

// Returns the text with the digits of all scripts as ASCII digits, and Arabic decimal and group
// marks as English ones.
std::string with_ascii_digits(std::string folded) {
  constexpr char32_t kArabicDecimal = 0x066B, kArabicThousands = 0x066C;
  const auto is_ascii = [](char c) { return (c & 0x80) == 0; };
  if (std::ranges::all_of(folded, is_ascii)) return folded;
  std::string out;
  for (std::size_t at = 0; at < folded.size();) {
    const char32_t c = next_code_point(folded, &at);
    if (c >= 0x80 && is_digit(c)) {
      out.push_back(static_cast<char>('0' + u_charDigitValue(static_cast<UChar32>(c))));
    } else if (c == kArabicDecimal || c == kArabicThousands) {
      out.push_back(c == kArabicDecimal ? '.' : ',');
    } else {
      append_utf8(c, &out);
    }
  }
  return out;
}

// Folds a text. Marks of notes are left out, and exponents of numbers kept apart, because folding
// makes digits of both: "438 ¹" has the word 438, and "10⁶" the words 10 and 6, as "10^6" has.
std::string folded_apart(std::string_view utf8) {
  const auto is_ascii = [](char c) { return (c & 0x80) == 0; };
  if (std::ranges::all_of(utf8, is_ascii)) return fold(utf8);
  std::string out;
  for (std::size_t begin = 0; begin < utf8.size();) {
    const std::size_t end = std::min(utf8.find_first_of(" \n", begin), utf8.size() - 1) + 1;
    const std::string_view word = utf8.substr(begin, end - begin);
    begin = end;
    if (is_note_mark(word.substr(0, word.find_first_of(" \n")))) continue;
    bool after_digit = false;
    for (std::size_t at = 0; at < word.size();) {
      const char32_t c = next_code_point(word, &at);
      if (after_digit && plain_of_superscript(c) != 0) out.push_back('^');
      append_utf8(c, &out);
      after_digit = is_digit(c);
    }
  }
  return fold(out);
}

// Splits a folded text into words, before stop words and stemming.
class Words {
 public:
  explicit Words(const LanguageFacts& facts) : facts_(facts) {}

  std::vector<std::string> of(std::string_view folded) {
    for (std::size_t at = 0; at < folded.size();) {
      const std::size_t start = at;
      const char32_t c = next_code_point(folded, &at);
      if (lacks_blanks(c)) {
        close();
        at = run_end(folded, start);
        append_dictionary_words(without_blanks(folded.substr(start, at - start)), &words_);
      } else if (is_letter_or_digit(c)) {
        append_utf8(c, &word_);
      } else {
        separator(folded, start, c);
      }
    }
    close();
    return std::move(words_);
  }

 private:
  // Returns the end of a run of characters that only a dictionary can split. A blank between two
  // Han or kana characters is a line break inside the text and does not end the run.
  static std::size_t run_end(std::string_view folded, std::size_t at) {
    std::size_t end = at;
    for (std::size_t next = at; next < folded.size();) {
      const char32_t c = next_code_point(folded, &next);
      if (c == ' ' && is_han_or_kana_at(folded, next) && is_han_or_kana_before(folded, end))
        continue;
      if (!lacks_blanks(c)) break;
      end = next;
    }
    return end;
  }

  static bool is_han_or_kana_at(std::string_view text, std::size_t at) {
    return at < text.size() && is_han_or_kana(next_code_point(text, &at));
  }

  static bool is_han_or_kana_before(std::string_view text, std::size_t end) {
    std::size_t at = end - 1;
    while (at > 0 && (text[at] & 0xC0) == 0x80) --at;
    return is_han_or_kana(next_code_point(text, &at));
  }

  static std::string without_blanks(std::string_view text) {
    std::string out(text);
    std::erase(out, ' ');
    return out;
  }

  // Handles a character that is not part of a word: inside numbers it may be a decimal or group
  // mark.
  void separator(std::string_view folded, std::size_t at, char32_t c) {
    const bool in_number = !word_.empty() && is_ascii_digit(word_.back());
    if (in_number && is_decimal_mark(c) && digit_at(folded, at + 1) && !groups(folded, at, c)) {
      word_.push_back('.');
      return;
    }
    if (in_number && groups(folded, at, c)) {
      grouped_ = true;
      return;
    }
    close();
    after_apostrophe_ = c == '\'' && at > 0 && folded[at - 1] != ' ';
  }

  // Returns true for marks that stay in a number. A point between digits stays in all languages:
  // "12.5", "12.03.2024", "3.1.4".
  bool is_decimal_mark(char32_t c) const {
    return c == '.' || (c == ',' && facts_.decimal_comma && word_.find('.') == std::string::npos);
  }

  // Returns true if `c`, after digits, separates thousands.
  bool groups(std::string_view folded, std::size_t at, char32_t c) const {
    if (!separates_thousands(folded, at)) return false;
    if (!facts_.decimal_comma) return c == ',';
    const bool blank = c == ' ' && facts_.blank_groups && is_group();
    return blank || ((c == '.' || c == '\'') && word_.find('.') == std::string::npos);
  }

  // Returns true if the word so far can begin a number in groups: "48" or "48250", but not "2023",
  // because "2023 450" is a year and another number.
  bool is_group() const {
    constexpr std::size_t kGroup = 3;
    const bool is_whole = std::ranges::all_of(word_, is_ascii_digit);
    return is_whole && (word_.size() <= kGroup || grouped_);
  }

  // Ends the current word. Parts after an apostrophe ("'s", "'ll") are dropped.
  void close() {
    static constexpr std::array<std::string_view, 7> kClitics = {"s",  "t",  "d", "m",
                                                                 "re", "ve", "ll"};
    const bool is_clitic =
        after_apostrophe_ && std::find(kClitics.begin(), kClitics.end(), word_) != kClitics.end();
    after_apostrophe_ = false;
    if (!word_.empty() && !is_clitic) words_.push_back(word_);
    word_.clear();
    grouped_ = false;
  }

  const LanguageFacts& facts_;
  std::vector<std::string> words_;
  std::string word_;
  bool after_apostrophe_ = false;
  bool grouped_ = false;  // the current word has had a group mark
};

bool is_number_like(std::string_view word) {
  return std::any_of(word.begin(), word.end(), is_ascii_digit);
}

// Returns "2022" for "fy2022" and "fy22"; empty for other words.
std::string year_within(std::string_view word) {
  std::size_t letters = 0;
  while (letters < word.size() && word[letters] >= 'a' && word[letters] <= 'z') ++letters;
  const std::string_view rest = word.substr(letters);
  if (letters == 0 || !std::all_of(rest.begin(), rest.end(), is_ascii_digit)) return {};
  if (rest.size() == 4 && (rest.starts_with("19") || rest.starts_with("20"))) {
    return std::string(rest);
  }
  return rest.size() == 2 && word.starts_with("fy") && letters == 2 ? "20" + std::string(rest) : "";
}

// Words with digits are names or numbers, which stemming would change.
std::string term_of(const std::string& word, std::string_view language) {
  return is_number_like(word) ? word : stem(word, language);
}

// Appends a term unless it is in `out` from `first` on.
void append_new(std::string term, std::size_t first, std::vector<std::string>* out) {
  const auto begin = out->begin() + static_cast<std::ptrdiff_t>(first);
  if (std::find(begin, out->end(), term) == out->end()) out->push_back(std::move(term));
}

// Appends the terms of a word and of its other forms that are not in `out` from `first` on.
void append_forms(const std::string& word, std::string_view language, std::size_t first,
                  std::vector<std::string>* out) {
  append_new(term_of(word, language), first, out);
  for (const std::string& form : other_forms(word)) {
    append_new(term_of(form, language), first, out);
  }
}

void append_terms(const std::string& word, std::string_view language,
                  std::vector<std::string>* out) {
  append_forms(word, language, out->size(), out);
  if (std::string year = year_within(word); !year.empty()) out->push_back(std::move(year));
}

bool is_left_out(const std::string& word, std::string_view language, bool is_query) {
  if (is_stop_word(word, language)) return true;
  return is_query && is_question_word(word, language);
}

std::vector<std::string> content_words(std::string_view folded, std::string_view language,
                                       bool is_query) {
  std::vector<std::string> words =
      Words(facts_of(language)).of(with_ascii_digits(std::string(folded)));
  std::erase_if(words,
                [&](const std::string& word) { return is_left_out(word, language, is_query); });
  return words;
}

// Returns true if no word continues at `at`.
bool ends_a_word(std::string_view text, std::size_t at) {
  return at >= text.size() || !is_letter_or_digit(next_code_point(text, &at));
}

// Returns the position of `words` as complete words in a text; npos if they do not occur.
std::size_t find_words(std::string_view text, std::string_view words) {
  std::size_t at = text.find(words);
  while (at != std::string_view::npos &&
         ((at > 0 && text[at - 1] != ' ') || !ends_a_word(text, at + words.size()))) {
    at = text.find(words, at + 1);
  }
  return at;
}

// Returns the position after the source noun, or its plural, at `at`; `at` itself if there is none.
std::size_t after_source_noun(std::string_view text, std::size_t at) {
  for (const std::string_view noun : kSourceNouns) {
    if (at >= text.size() || text[at] != ' ' || !text.substr(at + 1).starts_with(noun)) continue;
    const std::size_t end = at + 1 + noun.size();
    if (ends_a_word(text, end)) return end;
    if (text[end] == 's' && ends_a_word(text, end + 1)) return end + 1;
  }
  return at;
}

// Replaces "according to the report" and similar phrases by blanks.
std::string without_source_phrases(std::string text) {
  for (const std::string_view phrase : kSourcePhrases) {
    const std::size_t at = find_words(text, phrase);
    if (at == std::string::npos) continue;
    const std::size_t end = after_source_noun(text, at + phrase.size());
    text.replace(at, end - at, " ");
  }
  return text;
}

// Returns the words of a question; all words that are not stop words if none would be left.
std::vector<std::string> question_words_of(const std::string& folded, std::string_view language) {
  const std::string asked = is_english(language) ? without_source_phrases(folded) : folded;
  std::vector<std::string> words = content_words(asked, language, true);
  return words.empty() ? content_words(folded, language, false) : words;
}

struct StemmerDeleter {
  void operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }
};

using Stemmer = std::unique_ptr<sb_stemmer, StemmerDeleter>;

// Returns the stemmer of a language; null if Snowball has none. One for each thread, because
// libstemmer's object holds the result.
sb_stemmer* stemmer_of(std::string_view language) {
  thread_local std::map<std::string, Stemmer, std::less<>> made;
  const auto found = made.find(language);
  if (found != made.end()) return found->second.get();
  const std::string name(language);
  return made.emplace(name, Stemmer(sb_stemmer_new(name.c_str(), "UTF_8"))).first->second.get();
}

// Returns the language to stem a word in. Latin words in text of another script are most often
// English.
std::string_view stemmer_language(std::string_view word, std::string_view language) {
  const bool in_ascii = std::ranges::all_of(word, [](char c) { return (c & 0x80) == 0; });
  return is_english(language) || (in_ascii && !facts_of(language).latin) ? "en" : language;
}

}  // namespace

std::string stem(std::string_view word, std::string_view language) {
  sb_stemmer* stemmer = stemmer_of(stemmer_language(word, language));
  if (stemmer == nullptr) return std::string(word);
  const auto* in = reinterpret_cast<const sb_symbol*>(word.data());
  const sb_symbol* out = sb_stemmer_stem(stemmer, in, static_cast<int>(word.size()));
  if (out == nullptr) return std::string(word);
  return {reinterpret_cast<const char*>(out), static_cast<std::size_t>(sb_stemmer_length(stemmer))};
}

std::vector<std::string> terms(std::string_view utf8, std::string_view language) {
  std::vector<std::string> out;
  for (const std::string& word : content_words(folded_apart(utf8), language, false)) {
    append_terms(word, language, &out);
  }
  return out;
}

namespace {

// Returns "rechnungsnr" for "rechnungsnummer", as German and Dutch forms print it; "" for words
// that do not end with "nummer".
std::string with_short_number(std::string_view word) {
  constexpr std::string_view kNumber = "nummer";
  const bool is_compound = word.size() > kNumber.size() + 2 && word.ends_with(kNumber);
  return is_compound ? std::string(word.substr(0, word.size() - kNumber.size())) + "nr" : "";
}

}  // namespace

std::vector<QuestionTerm> question_terms(std::string_view utf8, std::string_view language,
                                         std::span<const std::string> stored) {
  std::vector<QuestionTerm> out;
  for (const std::string& word : question_words_of(folded_apart(utf8), language)) {
    // The page may be in any stored language, or in one that could not be detected: such pages are
    // stemmed as English. So the word is also stemmed by the rules of these languages.
    std::vector<std::string> spellings;
    append_forms(word, language, 0, &spellings);
    for (const std::string& other : stored) append_forms(word, other, 0, &spellings);
    if (!is_english(language)) append_forms(word, {}, 0, &spellings);
    if (std::string short_form = with_short_number(word); !short_form.empty()) {
      spellings.push_back(std::move(short_form));
    }
    if (std::string year = year_within(word); !year.empty()) {
      out.push_back({word, {}});
      out.push_back({std::move(year), {}});
      continue;
    }
    out.push_back({std::move(spellings.front()), {}});
    out.back().spellings.assign(std::make_move_iterator(spellings.begin() + 1),
                                std::make_move_iterator(spellings.end()));
  }
  return out;
}

}  // namespace fineprint::text
