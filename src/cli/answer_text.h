// Prints answers for people.
#pragma once

#include <cstddef>
#include <string>

#include "fineprint/core/records.h"
#include "fineprint/settings/settings.h"

namespace fineprint::cli {

// Prints an answer with its citations and its confidence. Says on stderr if it is doubtful.
void print_answer(const Answer& answer);

// Says on stderr how many pages the answer could not take into account.
void note_unread_pages(const Answer& answer);

// Returns the settings with the trace turned on, because HTML pages show the steps even if the
// record is to omit them.
settings::Settings with_trace(const settings::Settings& settings);

}  // namespace fineprint::cli
