// Declares the type of JSON values for headers that only pass them on. Sources include core/json.h.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace fineprint {

using Json = nlohmann::ordered_json;

}  // namespace fineprint
