// Where somebody is reached: numbers that are dialled, addresses of mail and of the web.
#pragma once

#include <string_view>
#include <vector>

#include "fineprint/text/sentences.h"

namespace fineprint::text {

// Seven to fifteen digits, written as they are dialled: "+44 1632 960655", "(514) 555-0192",
// "01632 960655". Rows of figures, dates and amounts are none.
std::vector<Span> find_phone_numbers(std::string_view passage);

std::vector<Span> find_emails(std::string_view passage);

// With or without "https://", but not those of mail.
std::vector<Span> find_websites(std::string_view passage);

}  // namespace fineprint::text
