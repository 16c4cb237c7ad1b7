// A subscription: reports to a client which pages come, go or change.
#pragma once

#include "fineprint/core/json.h"
#include "fineprint/core/stop.h"
#include "fineprint/server/mcp.h"

#include "server/fields.h"

namespace fineprint::server {

// Serves subscriptions/listen, the request `id`: sends what was agreed on, then a notification for
// each change of the store that the client asked for, until `stop` asks to stop. Returns the
// result. Throws Refusal(400) and RpcError for a filter that is wrong.
// Source: MCP 2026-07-28, Subscriptions.
Json listen(const Service& service, const Json& id, Fields& parameters, const StopToken& stop,
            const SendMessage& send);

}  // namespace fineprint::server
