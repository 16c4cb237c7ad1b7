// Years that a follow-up means without naming them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "fineprint/dialogue/follow_up.h"

namespace fineprint::dialogue {

// Returns the question with "the year before", "the following year", "that year" and the like
// replaced by the year that they mean in this conversation. Unchanged if no earlier turn names a
// year.
std::string with_named_years(std::string_view asked, std::span<const Turn> earlier);

}  // namespace fineprint::dialogue
