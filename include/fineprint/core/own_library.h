// Finds the shared libraries of fineprint that the program opens at run time.
#pragma once

#include <string>
#include <string_view>

namespace fineprint {

// Returns the path of `file`: in the program's folder if it is there (a build), else in
// ../lib/fineprint (an installation). Returns the path in the program's folder if neither exists,
// so that the error of opening it names the usual place.
std::string own_library_path(std::string_view file);

}  // namespace fineprint
