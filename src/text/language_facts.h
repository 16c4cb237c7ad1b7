// Facts about languages that number and sentence rules need.
#pragma once

#include <string>
#include <string_view>

namespace fineprint::text {

// How a language is written. The defaults are those of English.
struct LanguageFacts {
  bool latin = true;           // written in Latin letters
  bool decimal_comma = false;  // "1.234,56"
  bool blank_groups = false;   // "1 234 567"
  bool ordinal_stop = false;   // "12." means "12th"
};

// Returns the facts of a language; those of English for "" and for unknown codes. The data comes
// from CLDR through ICU. Thread-safe.
const LanguageFacts& facts_of(std::string_view language);

}  // namespace fineprint::text
