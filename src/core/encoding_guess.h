// Guesses the encoding of a text by the letters that it would have.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fineprint {

// Returns ICU's name of the encoding under which the bytes are the likeliest text, or "" if they
// are an unlikely text in all encodings that are tried. UTF-8 is not one of them.
std::string guess_encoding(std::string_view bytes);

// Returns ICU's names of the encodings that are tried.
std::vector<std::string> guessed_encodings();

}  // namespace fineprint
