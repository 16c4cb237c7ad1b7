// Serves a store to other programs' agents, as tools and resources of the Model Context Protocol.
// Source: modelcontextprotocol.io, revisions 2024-11-05 to 2026-07-28.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "fineprint/core/stop.h"
#include "fineprint/server/service.h"

namespace fineprint::server {

// Sends a message to the client: one line of JSON, without the line end.
using SendMessage = std::function<void(const std::string&)>;

// The fields of an HTTP head that repeat parts of the message; empty if missing.
// Source: MCP 2026-07-28, Streamable HTTP, Request Metadata.
struct McpHead {
  std::string revision, method, name;  // MCP-Protocol-Version, Mcp-Method, Mcp-Name
};

struct McpReply {
  std::string message;  // empty if the message needs no reply, for example a notification
  int status = 200;     // for HTTP
};

// What a call sends before its reply. of_changes: it goes on until it is stopped.
enum class McpNotices { none, of_progress, of_changes };

// Answers messages of JSON-RPC 2.0. Keeps no state of a client between messages. Safe to use from
// several threads.
class Mcp {
 public:
  // `service` must outlive the object.
  explicit Mcp(const Service& service) : service_(service) {}

  // Returns the reply to a message, or to a batch of messages. `head` is that of HTTP; nullptr over
  // other transports. If the client asked for notices, calls `notify` with each before returning.
  // Does not throw: errors become part of the reply. If `stop` asks to stop, the reply is an error,
  // but for a subscription, which ends well.
  McpReply reply(std::string_view message, const StopToken& stop, const SendMessage& notify,
                 const McpHead* head = nullptr) const;

  // Returns what the call of a message will send before its reply. none if it will be refused.
  static McpNotices notices(std::string_view message, const McpHead* head = nullptr);

 private:
  const Service& service_;
};

// Reads messages, one a line, from a file descriptor until it ends or the process is interrupted.
// Each message is answered on its own thread, and only one thread calls `send` at a time.
void serve_mcp(const Service& service, int input, const SendMessage& send);

}  // namespace fineprint::server
