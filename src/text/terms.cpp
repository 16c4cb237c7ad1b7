// Text into search terms.
#include "fineprint/text/terms.h"

#include <algorithm>
#include <array>
#include <memory>

#include <libstemmer.h>

#include "fineprint/core/error.h"
#include "fineprint/core/unicode.h"

#include "text/stop_words.h"

namespace fineprint::text {
namespace {

// Phrases that point at the source instead of saying what is sought; longest first.
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
// What such a phrase may go on with: "according to the report", "based on the slides".
constexpr std::array<std::string_view, 10> kSourceNouns = {
    "document", "report",  "paper",        "slides", "slide",
    "text",     "article", "presentation", "pdf",    "passage"};

bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }

bool stands_alone(char32_t c) {
  return (c >= 0x3040 && c <= 0x30FF) || (c >= 0x3400 && c <= 0x9FFF) ||
         (c >= 0x20000 && c <= 0x3134F);
}

bool digit_at(std::string_view text, std::size_t at) {
  return at < text.size() && is_ascii_digit(text[at]);
}

// ",577" followed by no further digit: a separator of thousands.
bool separates_thousands(std::string_view text, std::size_t comma) {
  return digit_at(text, comma + 1) && digit_at(text, comma + 2) && digit_at(text, comma + 3) &&
         !digit_at(text, comma + 4);
}

// The words of a folded text, before stop words and stemming.
class Words {
 public:
  std::vector<std::string> of(std::string_view folded) {
    for (std::size_t at = 0; at < folded.size();) {
      const std::size_t start = at;
      const char32_t c = next_code_point(folded, &at);
      if (stands_alone(c)) {
        close();
        append_utf8(c, &word_);
        close();
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
  void separator(std::string_view folded, std::size_t at, char32_t c) {
    const bool in_number = !word_.empty() && is_ascii_digit(word_.back());
    if (in_number && c == '.' && digit_at(folded, at + 1)) {
      word_.push_back('.');
      return;
    }
    if (in_number && c == ',' && separates_thousands(folded, at)) return;
    close();
    after_apostrophe_ = c == '\'' && at > 0 && folded[at - 1] != ' ';
  }

  void close() {
    static constexpr std::array<std::string_view, 7> kClitics = {"s",  "t",  "d", "m",
                                                                 "re", "ve", "ll"};
    const bool is_clitic =
        after_apostrophe_ && std::find(kClitics.begin(), kClitics.end(), word_) != kClitics.end();
    after_apostrophe_ = false;
    if (!word_.empty() && !is_clitic) words_.push_back(word_);
    word_.clear();
  }

  std::vector<std::string> words_;
  std::string word_;
  bool after_apostrophe_ = false;
};

bool is_number_like(std::string_view word) {
  return std::any_of(word.begin(), word.end(), is_ascii_digit);
}

// "2022" of "fy2022" and of "fy22"; empty for other words.
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

void append_term(const std::string& word, std::vector<std::string>* out) {
  if (!is_number_like(word)) {
    out->push_back(stem(word));
    return;
  }
  out->push_back(word);
  if (std::string year = year_within(word); !year.empty()) out->push_back(std::move(year));
}

std::vector<std::string> content_terms(std::string_view folded, bool is_query) {
  std::vector<std::string> out;
  for (const std::string& word : Words().of(folded)) {
    if (is_stop_word(word) || (is_query && is_question_word(word))) continue;
    append_term(word, &out);
  }
  return out;
}

// Whether no word goes on at `at`.
bool ends_a_word(std::string_view text, std::size_t at) {
  return at >= text.size() || !is_letter_or_digit(next_code_point(text, &at));
}

// Where `words` stand in a text as whole words; npos: nowhere.
std::size_t find_words(std::string_view text, std::string_view words) {
  std::size_t at = text.find(words);
  while (at != std::string_view::npos &&
         ((at > 0 && text[at - 1] != ' ') || !ends_a_word(text, at + words.size()))) {
    at = text.find(words, at + 1);
  }
  return at;
}

// Behind the noun, or its plural, that stands at `at`; `at` itself when there is none.
std::size_t behind_source_noun(std::string_view text, std::size_t at) {
  for (const std::string_view noun : kSourceNouns) {
    if (at >= text.size() || text[at] != ' ' || !text.substr(at + 1).starts_with(noun)) continue;
    const std::size_t end = at + 1 + noun.size();
    if (ends_a_word(text, end)) return end;
    if (text[end] == 's' && ends_a_word(text, end + 1)) return end + 1;
  }
  return at;
}

// Blanks out "according to the report" and the like.
std::string without_source_phrases(std::string text) {
  for (const std::string_view phrase : kSourcePhrases) {
    const std::size_t at = find_words(text, phrase);
    if (at == std::string::npos) continue;
    const std::size_t end = behind_source_noun(text, at + phrase.size());
    text.replace(at, end - at, " ");
  }
  return text;
}

struct StemmerDeleter {
  void operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }
};

}  // namespace

std::string stem(std::string_view word) {
  // libstemmer's object holds the result: one a thread.
  thread_local const std::unique_ptr<sb_stemmer, StemmerDeleter> stemmer(
      sb_stemmer_new("english", "UTF_8"));
  if (stemmer == nullptr) {
    throw Error(ErrorCode::internal, "libstemmer has no English stemmer: reinstall libstemmer");
  }
  const auto* in = reinterpret_cast<const sb_symbol*>(word.data());
  const sb_symbol* out = sb_stemmer_stem(stemmer.get(), in, static_cast<int>(word.size()));
  if (out == nullptr) return std::string(word);
  return {reinterpret_cast<const char*>(out),
          static_cast<std::size_t>(sb_stemmer_length(stemmer.get()))};
}

std::vector<std::string> terms(std::string_view utf8) { return content_terms(fold(utf8), false); }

std::vector<std::string> query_terms(std::string_view utf8) {
  const std::string folded = fold(utf8);
  std::vector<std::string> out = content_terms(without_source_phrases(folded), true);
  if (out.empty()) out = content_terms(folded, false);
  return out;
}

}  // namespace fineprint::text
