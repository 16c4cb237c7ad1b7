// The name of JSON values, for headers that only hand them on; sources include core/json.h.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace fineprint {

using Json = nlohmann::ordered_json;

}  // namespace fineprint
