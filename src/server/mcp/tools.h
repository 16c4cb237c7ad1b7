// The tools that MCP offers to clients.
#pragma once

#include <functional>
#include <string>

#include "fineprint/core/json.h"
#include "fineprint/core/stop.h"
#include "fineprint/server/service.h"

#include "server/fields.h"

namespace fineprint::server {

// Passes a line about a step to the client, for people to read.
using TellStep = std::function<void(const std::string&)>;

// Returns the definitions of all tools, as tools/list sends them.
Json mcp_tools();
// Returns the result of a call. Errors in the arguments or in the work become results with isError.
// Throws Refusal(404) if there is no such tool.
Json call_mcp_tool(const Service& service, const std::string& name, Fields arguments,
                   const StopToken& stop, const TellStep& tell);

}  // namespace fineprint::server
