// Serves /mcp: MCP's streamable HTTP, without sessions.
#include "fineprint/server/mcp.h"

#include <string>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/json.h"

#include "server/http/event_stream.h"
#include "server/refusal.h"
#include "server/routes/routes.h"

namespace fineprint::server {
namespace {

bool accepts_events(const HttpRequest& request) {
  return first_value(request.headers, "accept").find("text/event-stream") != std::string::npos;
}

McpHead mcp_head(const HttpRequest& request) {
  return {.revision = first_value(request.headers, "mcp-protocol-version"),
          .method = first_value(request.headers, "mcp-method"),
          .name = first_value(request.headers, "mcp-name")};
}

HttpReply mcp(const Served& served, const HttpRequest& request) {
  const McpHead head = mcp_head(request);
  const McpNotices notices = Mcp::notices(request.body, &head);
  if (notices == McpNotices::of_changes && !accepts_events(request)) {
    throw Refusal(406, "a subscription is a stream of events: Accept must list text/event-stream");
  }
  if (notices != McpNotices::none && accepts_events(request)) {
    return event_stream(request.stop, [&served, head, body = request.body](const SendEvent& send,
                                                                           const StopToken& stop) {
      const auto tell = [&](const std::string& message) { send("message", message); };
      const McpReply reply = Mcp(served.service).reply(body, stop, tell, &head);
      if (!reply.message.empty()) tell(reply.message);
    });
  }
  McpReply reply =
      Mcp(served.service).reply(request.body, request.stop, [](const std::string&) {}, &head);
  if (reply.message.empty()) return {.status = 202};
  HttpReply answered = json_reply(std::move(reply.message));
  answered.status = reply.status;
  return answered;
}

}  // namespace

void add_mcp_routes(const Served& served, std::vector<HttpRoute>* routes) {
  routes->push_back({.method = "POST",
                     .path = "/mcp",
                     .body = BodyKind::json_with_files,
                     .run = [&served](HttpRequest& request) { return mcp(served, request); }});
}

}  // namespace fineprint::server
