// What differs between languages and is needed here.
#pragma once

#include <string>
#include <string_view>

namespace fineprint::text {

struct LanguageFacts {
  bool latin = true;           // written in Latin letters
  bool decimal_comma = false;  // 1.234,56
  bool blank_groups = false;   // 1 234 567
  bool ordinal_stop = false;   // "12." is "12th"
};

// Of English for "" and for what is no language's code. By ICU, from CLDR. Safe from several
// threads.
const LanguageFacts& facts_of(std::string_view language);

}  // namespace fineprint::text
