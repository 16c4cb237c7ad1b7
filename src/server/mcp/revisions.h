// The revisions of MCP: the ones that open with a handshake, and the one in which each request
// carries its revision and the client's capabilities.
#pragma once

#include <string>

#include "fineprint/core/json.h"
#include "fineprint/server/mcp.h"

namespace fineprint::server {

// A request: its method, its parameters (an object), and over HTTP the head that came with it.
struct McpRequest {
  std::string method;
  Json parameters;
  const McpHead* head = nullptr;
};

// Returns whether the request follows the revision without a handshake. Throws RpcError if its
// head, its `_meta` or both name a revision that this server does not speak, leave out a part that
// the revision demands, or contradict each other.
// Source: MCP 2026-07-28, Overview (`_meta`) and Streamable HTTP (Request Metadata).
bool is_stateless(const McpRequest& request);

// Returns the result of `initialize`: the revision that the client asks for if it is one of those
// with a handshake, otherwise the newest of them.
Json initialized(const std::string& asked);
// Returns the result of `server/discover`.
Json discovered();

// Adds the fields that every result without a handshake has: its type, the server, and how long the
// client may keep it. Source: MCP 2026-07-28, Overview and Caching.
Json with_result_fields(const std::string& method, Json result);

}  // namespace fineprint::server
