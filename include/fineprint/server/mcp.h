// Serves a store to other programs' agents, as tools and resources of the Model Context Protocol.
// Source: modelcontextprotocol.io, revisions 2024-11-05 to 2025-11-25.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "fineprint/core/stop.h"
#include "fineprint/server/service.h"

namespace fineprint::server {

// Sends a message to the client: one line of JSON, without the line end.
using SendMessage = std::function<void(const std::string&)>;

// Answers messages of JSON-RPC 2.0. Keeps no state of a client between messages. Safe to use from
// several threads.
class Mcp {
 public:
  // `service` must outlive the object.
  explicit Mcp(const Service& service) : service_(service) {}

  // Returns the reply to a message, or an empty string if the message needs none, for example a
  // notification. If the client asked for progress, calls `notify` with messages about it before
  // returning. Does not throw: errors become part of the reply. If `stop` asks to stop, the reply
  // is an error.
  std::string reply(std::string_view message, const StopToken& stop,
                    const SendMessage& notify) const;

 private:
  const Service& service_;
};

// Reads messages, one a line, from a file descriptor until it ends or the process is interrupted.
// Each message is answered on its own thread, and only one thread calls `send` at a time.
void serve_mcp(const Service& service, int input, const SendMessage& send);

}  // namespace fineprint::server
