// Serves /mcp: MCP's streamable HTTP, without sessions.
#include "fineprint/server/mcp.h"

#include <string>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/json.h"

#include "server/http/event_stream.h"
#include "server/routes/routes.h"

namespace fineprint::server {
namespace {

// Returns whether the client wants to follow the progress of the call, and accepts a stream.
bool follows_progress(const HttpRequest& request) {
  if (first_value(request.headers, "accept").find("text/event-stream") == std::string::npos) {
    return false;
  }
  return request.body.find("\"progressToken\"") != std::string::npos;
}

HttpReply mcp(const Served& served, const HttpRequest& request) {
  if (follows_progress(request)) {
    return event_stream(request.stop, [&served, body = request.body](const SendEvent& send,
                                                                     const StopToken& stop) {
      const auto tell = [&](const std::string& message) { send("message", message); };
      if (const std::string reply = Mcp(served.service).reply(body, stop, tell); !reply.empty()) {
        tell(reply);
      }
    });
  }
  std::string reply =
      Mcp(served.service).reply(request.body, request.stop, [](const std::string&) {});
  if (reply.empty()) return {.status = 202};
  return json_reply(std::move(reply));
}

}  // namespace

void add_mcp_routes(const Served& served, std::vector<HttpRoute>* routes) {
  routes->push_back({.method = "POST",
                     .path = "/mcp",
                     .body = BodyKind::json,
                     .run = [&served](HttpRequest& request) { return mcp(served, request); }});
}

}  // namespace fineprint::server
