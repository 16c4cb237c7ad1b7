// Finds phone numbers, email addresses and web addresses.
#pragma once

#include <string_view>
#include <vector>

#include "fineprint/text/sentences.h"

namespace fineprint::text {

// Finds seven to fifteen digits that are written like a phone number: "+44 1632 960655", "(514)
// 555-0192", "01632 960655". Rows of figures, dates and amounts are not.
std::vector<Span> find_phone_numbers(std::string_view passage);

// Finds email addresses.
std::vector<Span> find_emails(std::string_view passage);

// Finds web addresses, with or without "https://", except for the ones that are part of an
// email address.
std::vector<Span> find_websites(std::string_view passage);

}  // namespace fineprint::text
