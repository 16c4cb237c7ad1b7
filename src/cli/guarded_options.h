// Which values of options only the user may set, and not a settings file that came with a folder.
#pragma once

#include "fineprint/settings/option_set.h"

namespace fineprint::cli {

// Sets the risk of each option that has one: values that start programs, send data to servers, hand
// over secrets, or let other machines in. Local models are no risk, because they are data. Throws
// Error(internal) if an option is missing.
void guard_options(settings::OptionSet& set);

}  // namespace fineprint::cli
