// What a client of MCP can have done.
#pragma once

#include <functional>
#include <string>

#include "fineprint/core/json.h"
#include "fineprint/core/stop.h"
#include "fineprint/server/service.h"

#include "server/fields.h"

namespace fineprint::server {

// Tells of a step, for people.
using TellStep = std::function<void(const std::string&)>;

// The definitions of all tools, as tools/list has them.
Json mcp_tools();
// The result of a call, which tells errors of the arguments and of the work as such. Throws
// Refusal(404) for a tool that there is not.
Json call_mcp_tool(const Service& service, const std::string& name, Fields arguments,
                   const StopToken& stop, const TellStep& tell);

}  // namespace fineprint::server
