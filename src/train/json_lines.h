// Reads files with one example a line.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "fineprint/core/json.h"

namespace fineprint::train {

// Calls `use` for each line that is not blank, with its text, its value, and `where`: file and
// line. Throws Error(input) if a line is not JSON, and if the file has no such line.
void for_each_line(const std::string& path,
                   const std::function<void(std::string_view line, const Json& value,
                                            const std::string& where)>& use);

}  // namespace fineprint::train
