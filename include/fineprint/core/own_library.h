// Where the libraries lie that the program opens at run time.
#pragma once

#include <string>
#include <string_view>

namespace fineprint {

// Beside the program, as they were built, or in ../lib/fineprint, as they were installed. Beside
// the program where there is none of that name.
std::string own_library_path(std::string_view file);

}  // namespace fineprint
