// Looks up how languages write numbers.
#include "text/language_facts.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <mutex>

#include <unicode/dcfmtsym.h>
#include <unicode/uscript.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/unicode.h"
#include "fineprint/text/language.h"

namespace fineprint::text {
namespace {

// Languages that write "12." for "12th". CLDR does not list them. Sorted for the binary search.
constexpr std::array<std::string_view, 17> kOrdinalStops = {"bs", "cs", "da", "de", "et", "fi",
                                                            "hr", "hu", "is", "lv", "nb", "nn",
                                                            "no", "pl", "sk", "sl", "sr"};

bool writes_latin(const std::string& language) {
  UErrorCode status = U_ZERO_ERROR;
  UScriptCode scripts[8];
  const int count = uscript_getCode(language.c_str(), scripts, std::size(scripts), &status);
  // If ICU does not know the language, Latin is the safest guess.
  return U_FAILURE(status) || std::find(scripts, scripts + count, USCRIPT_LATIN) != scripts + count;
}

LanguageFacts read_facts(const std::string& language) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::DecimalFormatSymbols symbols(icu::Locale(language.c_str()), status);
  if (U_FAILURE(status)) {
    throw Error(ErrorCode::internal, fineprint::format("ICU has no symbols of numbers for \"{}\" "
                                                       "({}): reinstall libicu",
                                                       language, u_errorName(status)));
  }
  using Symbols = icu::DecimalFormatSymbols;
  const icu::UnicodeString decimal =
      symbols.getConstSymbol(Symbols::ENumberFormatSymbol::kDecimalSeparatorSymbol);
  const icu::UnicodeString group =
      symbols.getConstSymbol(Symbols::ENumberFormatSymbol::kGroupingSeparatorSymbol);
  LanguageFacts facts;
  facts.latin = writes_latin(language);
  facts.decimal_comma = decimal == icu::UnicodeString(u',');
  facts.blank_groups = is_space(static_cast<char32_t>(group.char32At(0)));
  facts.ordinal_stop = std::ranges::binary_search(kOrdinalStops, std::string_view(language));
  return facts;
}

}  // namespace

const LanguageFacts& facts_of(std::string_view language) {
  static const LanguageFacts kEnglish;
  if (is_english(language)) return kEnglish;
  static std::mutex mutex;
  // Cached, because reading ICU's symbols is slow and terms are split for each page.
  static std::map<std::string, LanguageFacts, std::less<>> known;
  const std::lock_guard lock(mutex);
  const auto found = known.find(language);
  if (found != known.end()) return found->second;
  const std::string name(language);
  return known.emplace(name, read_facts(name)).first->second;
}

}  // namespace fineprint::text
