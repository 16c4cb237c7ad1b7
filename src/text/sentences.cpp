// Splits running text into sentences. English has its own rules, because only full stops are
// ambiguous.
#include "fineprint/text/sentences.h"

#include <algorithm>
#include <array>
#include <string>

#include "fineprint/core/unicode.h"
#include "fineprint/text/language.h"

#include "text/local_sentences.h"

namespace fineprint::text {
namespace {

// Abbreviations that do not end a sentence. Lower case, without the last full stop.
constexpr std::array<std::string_view, 56> kAbbreviations = {
    "mr",  "mrs",  "ms",   "dr",  "prof", "rev", "hon",  "gen", "col",  "sgt", "capt", "lt",
    "st",  "jr",   "sr",   "vs",  "v",    "etc", "e.g",  "i.e", "cf",   "al",  "viz",  "approx",
    "ca",  "inc",  "ltd",  "co",  "corp", "llc", "dept", "div", "est",  "fig", "figs", "eq",
    "eqs", "sec",  "sect", "ch",  "vol",  "ed",  "eds",  "ref", "refs", "pp",  "jan",  "feb",
    "aug", "sept", "sep",  "oct", "nov",  "dec", "incl", "resp"};
// These do not end a sentence if a number follows: "No. 5", "Mar. 12".
constexpr std::array<std::string_view, 7> kBeforeNumbers = {"no",  "nos", "p", "art",
                                                            "mar", "apr", "nr"};

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// Returns the span without white space at its ends; empty if it contains nothing else.
Span trimmed_span(std::string_view text, const Span& span) {
  std::uint32_t begin = span.end, end = span.end;
  for (std::size_t at = span.begin; at < span.end;) {
    const std::size_t start = at;
    if (is_space(next_code_point(text, &at))) continue;
    begin = std::min(begin, static_cast<std::uint32_t>(start));
    end = std::min(static_cast<std::uint32_t>(at), span.end);
  }
  return {begin, end};
}

// Reads English text once and cuts it at sentence ends.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::vector<Span> run() {
    std::size_t at = 0;
    while (at < text_.size()) {
      const std::size_t start = at;
      const char32_t c = next_code_point(text_, &at);
      if (c == '\n' && is_blank_line(at)) {
        add(start);
        // Chinese and Indic stops are never part of a word, so no further check is needed.
      } else if (is_wide_terminator(c)) {
        at = after_closers(at);
        add(at);
      } else if (c == '.' || c == '!' || c == '?' || c == 0x2026) {
        at = after_closers(at);
        if (ends_here(start, c, at)) add(at);
      }
    }
    add(text_.size());
    return std::move(out_);
  }

 private:
  // Ideographic full stop, full-width ! and ?, and danda.
  static bool is_wide_terminator(char32_t c) {
    return c == 0x3002 || c == 0xFF01 || c == 0xFF1F || c == 0x0964;
  }

  char32_t peek(std::size_t at) const {
    return at < text_.size() ? next_code_point(text_, &at) : U' ';
  }

  bool is_blank_line(std::size_t after_newline) const {
    std::size_t at = after_newline;
    while (at < text_.size() && (text_[at] == ' ' || text_[at] == '\t' || text_[at] == '\r')) ++at;
    return at < text_.size() && text_[at] == '\n';
  }

  // Returns the position after further stops, quotes and brackets that belong to the sentence.
  std::size_t after_closers(std::size_t at) const {
    while (at < text_.size()) {
      std::size_t next = at;
      const char32_t c = next_code_point(text_, &next);
      const bool belongs = c == '.' || c == '!' || c == '?' || c == '"' || c == '\'' || c == ')' ||
                           c == ']' || c == 0x2019 || c == 0x201D || c == 0xBB || c == 0x300D;
      if (!belongs) break;
      at = next;
    }
    return at;
  }

  std::size_t after_blanks(std::size_t at) const {
    while (at < text_.size()) {
      std::size_t next = at;
      if (!is_space(next_code_point(text_, &next))) break;
      at = next;
    }
    return at;
  }

  // Returns true if the sentence ends at the terminator. It does not if the text continues directly
  // ("3.5", "example.com") or with a lower-case letter.
  bool ends_here(std::size_t terminator, char32_t c, std::size_t end) const {
    if (!is_space(peek(end))) return false;
    const char32_t next = peek(after_blanks(end));
    if (next >= 'a' && next <= 'z') return false;
    return c != '.' || !belongs_to_word(terminator, next);
  }

  // Returns true if the full stop at `stop` belongs to an abbreviation, an initial or an item
  // number.
  bool belongs_to_word(std::size_t stop, char32_t next) const {
    std::size_t begin = stop;
    while (begin > begin_ && !is_break(text_[begin - 1])) --begin;
    const std::string word = fold(text_.substr(begin, stop - begin));
    if (word.empty()) return false;
    const bool is_number =
        std::all_of(word.begin(), word.end(), [](char d) { return d >= '0' && d <= '9'; });
    // "1." at the start of a sentence numbers an item.
    if (is_number) return begin == after_blanks(begin_) && word.size() <= 3;
    if (contains(kAbbreviations, word)) return true;
    if (contains(kBeforeNumbers, word)) return is_digit(next);
    return is_initials(word) && !is_unit(begin, stop);
  }

  // Returns whether a small letter is the unit of a number before it: "3.8 m."
  bool is_unit(std::size_t begin, std::size_t stop) const {
    const bool is_small = stop == begin + 1 && text_[begin] >= 'a' && text_[begin] <= 'z';
    std::size_t before = begin;
    while (before > begin_ && text_[before - 1] == ' ') --before;
    return is_small && before > begin_ && before < begin && is_ascii_digit(text_[before - 1]);
  }

  static bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }

  static bool is_break(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '(' || c == '[' || c == '"' ||
           c == '/' || c == ',';
  }

  // Returns true for "j", "u.s" and "ph.d": single letters or pairs between full stops. "i" is
  // excluded because sentences end with the pronoun "I".
  static bool is_initials(std::string_view word) {
    if (word.size() == 1) return word[0] >= 'a' && word[0] <= 'z' && word[0] != 'i';
    if (word.find('.') == std::string_view::npos) return false;
    std::size_t letters = 0;
    for (const char c : word) {
      if (c == '.') {
        letters = 0;
      } else if (!((c >= 'a' && c <= 'z') && ++letters <= 2)) {
        return false;
      }
    }
    return true;
  }

  void add(std::size_t end) {
    const Span span =
        trimmed_span(text_, {static_cast<std::uint32_t>(begin_), static_cast<std::uint32_t>(end)});
    if (span.begin < span.end) out_.push_back(span);
    begin_ = std::max(begin_, end);
  }

  std::string_view text_;
  std::vector<Span> out_;
  std::size_t begin_ = 0;  // start of the current sentence
};

}  // namespace

std::vector<Span> sentences(std::string_view utf8, std::string_view language) {
  if (is_english(language)) return Scanner(utf8).run();
  std::vector<Span> out;
  std::uint32_t begin = 0;
  for (const std::uint32_t end : local_sentence_ends(utf8, language)) {
    const Span span = trimmed_span(utf8, {begin, end});
    if (span.begin < span.end) out.push_back(span);
    begin = end;
  }
  return out;
}

}  // namespace fineprint::text
