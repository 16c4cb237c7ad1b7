// Files with an example a line.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "fineprint/core/json.h"

namespace fineprint::train {

// Each line that is not blank, as it stands and parsed; `where` names file and line. Throws
// Error(input) for a line that is no JSON, and for a file without any line.
void for_each_line(const std::string& path,
                   const std::function<void(std::string_view line, const Json& value,
                                            const std::string& where)>& use);

}  // namespace fineprint::train
