// Splits sentences with ICU's rules, and joins what those rules split wrongly.
#include "text/local_sentences.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>

#include <unicode/brkiter.h>
#include <unicode/utext.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/unicode.h"

#include "text/language_facts.h"
#include "text/language_words.h"

namespace fineprint::text {
namespace {

[[noreturn]] void fail_without_sentences(std::string_view language, UErrorCode status) {
  throw Error(ErrorCode::internal,
              fineprint::format("ICU cannot split sentences of \"{}\" ({}); reinstall libicu",
                                language, u_errorName(status)));
}

std::unique_ptr<icu::BreakIterator> make_breaks(const std::string& language) {
  UErrorCode status = U_ZERO_ERROR;
  std::unique_ptr<icu::BreakIterator> breaks(
      icu::BreakIterator::createSentenceInstance(icu::Locale(language.c_str()), status));
  if (U_FAILURE(status)) fail_without_sentences(language, status);
  return breaks;
}

icu::BreakIterator& breaks_of(std::string_view language) {
  // One for each thread and language, because an iterator holds the text that is being split.
  thread_local std::map<std::string, std::unique_ptr<icu::BreakIterator>, std::less<>> made;
  const auto found = made.find(language);
  if (found != made.end()) return *found->second;
  const std::string name(language);
  return *made.emplace(name, make_breaks(name)).first->second;
}

bool is_line_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// Returns the text with single line breaks replaced by blanks, because ICU ends a sentence at each
// of them. Blank lines are kept; they end sentences. The length stays the same, so offsets remain
// valid.
std::string on_one_line(std::string_view utf8) {
  std::string out(utf8);
  for (std::size_t at = 0; at < out.size(); ++at) {
    if (out[at] != '\n' && out[at] != '\r') continue;
    std::size_t next = at + 1;
    while (next < out.size() && is_line_blank(out[next])) ++next;
    const bool ends_paragraph = out[at] == '\n' && next < out.size() && out[next] == '\n';
    if (ends_paragraph) {
      at = next;
    } else {
      out[at] = ' ';
    }
  }
  return out;
}

// Returns the folded word before the full stop at the end of `text`; empty if the text does not end
// with a full stop.
std::string word_before_stop(std::string_view text) {
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (!text.ends_with('.')) return {};
  text.remove_suffix(1);
  std::size_t begin = text.size();
  while (begin > 0 && text[begin - 1] != ' ' && text[begin - 1] != '(' && text[begin - 1] != '.') {
    --begin;
  }
  return fold(text.substr(begin));
}

// Moves the end of a sentence to before opening quotation marks and brackets. ICU counts all marks
// after a stop as closing ones. This is right if a blank follows the stop, but in Chinese and
// Japanese the next sentence may begin at once.
std::size_t before_openers(std::string_view text, std::size_t end) {
  constexpr std::u32string_view kOpeners = U"“‘「『《〈（【〔";
  constexpr std::u32string_view kWideStops = U"。！？；…";
  std::size_t at = end;
  while (at > 0) {
    std::size_t begin = at - 1;
    while (begin > 0 && (text[begin] & 0xC0) == 0x80) --begin;
    std::size_t next = begin;
    const char32_t c = next_code_point(text, &next);
    if (kWideStops.find(c) != std::u32string_view::npos) return at;
    if (kOpeners.find(c) == std::u32string_view::npos) return end;
    at = begin;
  }
  return end;
}

// Returns the number of letters; 0 if the word has other characters.
std::size_t letters_in(std::string_view word) {
  std::size_t letters = 0;
  for (std::size_t at = 0; at < word.size();) {
    if (!is_letter(next_code_point(word, &at))) return 0;
    ++letters;
  }
  return letters;
}

// Returns true if the full stop at the end of `text` ends a sentence.
bool ends_sentence(std::string_view text, std::string_view language) {
  // Ordinal numbers are days or months ("12. März"); longer numbers are years, which often end
  // sentences.
  constexpr std::size_t kLongestOrdinal = 2;
  const std::string word = word_before_stop(text);
  if (word.empty()) return true;
  const bool is_number = std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
  if (is_number) return !facts_of(language).ordinal_stop || word.size() > kLongestOrdinal;
  // A single letter is an initial or part of an abbreviation ("z. B.").
  if (letters_in(word) == 1) return false;
  return !words_of_language(language).abbreviations.contains(word);
}

}  // namespace

std::vector<std::uint32_t> local_sentence_ends(std::string_view utf8, std::string_view language) {
  const std::string text = on_one_line(utf8);
  UErrorCode status = U_ZERO_ERROR;
  UText view = UTEXT_INITIALIZER;
  utext_openUTF8(&view, text.data(), static_cast<std::int64_t>(text.size()), &status);
  icu::BreakIterator& breaks = breaks_of(language);
  breaks.setText(&view, status);
  if (U_FAILURE(status)) fail_without_sentences(language, status);
  std::vector<std::uint32_t> ends;
  std::size_t begin = 0;
  breaks.first();
  for (auto end = breaks.next(); end != icu::BreakIterator::DONE; end = breaks.next()) {
    const std::size_t at = before_openers(text, static_cast<std::size_t>(end));
    if (!ends_sentence(std::string_view(text).substr(begin, at - begin), language)) continue;
    ends.push_back(static_cast<std::uint32_t>(at));
    begin = at;
  }
  utext_close(&view);
  if (begin < text.size()) ends.push_back(static_cast<std::uint32_t>(text.size()));
  return ends;
}

}  // namespace fineprint::text
