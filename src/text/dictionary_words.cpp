// Splits text into words with ICU's dictionaries.
#include "text/dictionary_words.h"

#include <memory>

#include <unicode/brkiter.h>
#include <unicode/uscript.h>
#include <unicode/utext.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/unicode.h"

namespace fineprint::text {
namespace {

// Scripts before it all write blanks, which saves a look-up.
constexpr char32_t kFirstThai = 0x0E00;

UScriptCode script_of(char32_t c) {
  UErrorCode status = U_ZERO_ERROR;
  return uscript_getScript(static_cast<UChar32>(c), &status);
}

[[noreturn]] void fail_without_words(UErrorCode status) {
  throw Error(ErrorCode::internal,
              fineprint::format("ICU cannot split text into words ({}); reinstall "
                                "libicu",
                                u_errorName(status)));
}

icu::BreakIterator& word_breaks() {
  // One for each thread, because the iterator holds the text that is being split.
  thread_local const std::unique_ptr<icu::BreakIterator> breaks = [] {
    UErrorCode status = U_ZERO_ERROR;
    std::unique_ptr<icu::BreakIterator> made(
        icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), status));
    if (U_FAILURE(status)) fail_without_words(status);
    return made;
  }();
  return *breaks;
}

// Appends each pair of neighbouring characters of a word that consists only of ideographs.
void append_pairs(std::string_view word, std::vector<std::string>* out) {
  // Shorter words are found without pairs.
  constexpr std::size_t kLeast = 3;
  std::vector<std::size_t> begins;
  for (std::size_t at = 0; at < word.size();) {
    begins.push_back(at);
    if (script_of(next_code_point(word, &at)) != USCRIPT_HAN) return;
  }
  if (begins.size() < kLeast) return;
  begins.push_back(word.size());
  for (std::size_t i = 0; i + 2 < begins.size(); ++i) {
    out->emplace_back(word.substr(begins[i], begins[i + 2] - begins[i]));
  }
}

}  // namespace

bool lacks_blanks(char32_t c) {
  if (c < kFirstThai) return false;
  const UScriptCode script = script_of(c);
  return is_han_or_kana(c) || script == USCRIPT_THAI || script == USCRIPT_LAO ||
         script == USCRIPT_KHMER || script == USCRIPT_MYANMAR;
}

void append_dictionary_words(std::string_view run, std::vector<std::string>* out) {
  UErrorCode status = U_ZERO_ERROR;
  UText text = UTEXT_INITIALIZER;
  utext_openUTF8(&text, run.data(), static_cast<std::int64_t>(run.size()), &status);
  icu::BreakIterator& breaks = word_breaks();
  breaks.setText(&text, status);
  if (U_FAILURE(status)) fail_without_words(status);
  // ICU iterates over byte offsets here, because the text was opened as UTF-8.
  auto begin = static_cast<std::size_t>(breaks.first());
  for (auto end = breaks.next(); end != icu::BreakIterator::DONE; end = breaks.next()) {
    const std::string_view word = run.substr(begin, static_cast<std::size_t>(end) - begin);
    out->emplace_back(word);
    append_pairs(word, out);
    begin = static_cast<std::size_t>(end);
  }
  utext_close(&text);
}

}  // namespace fineprint::text
