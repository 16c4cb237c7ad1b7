// The Model Context Protocol: a store as tools and resources of other people's agents.
// Source: modelcontextprotocol.io, revisions 2024-11-05 to 2025-11-25.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "fineprint/core/stop.h"
#include "fineprint/server/service.h"

namespace fineprint::server {

// Takes a message to the client: one line of JSON, without its end.
using SendMessage = std::function<void(const std::string&)>;

// Messages of JSON-RPC 2.0 in, messages out. Holds nothing of a client between them. Safe from
// several threads.
class Mcp {
 public:
  // `service` must outlive it.
  explicit Mcp(const Service& service) : service_(service) {}

  // The reply to a message; empty where it wants none. `notify` is told how a call gets on, before
  // this returns, where the client asked for it. Does not throw: what is wrong is in the reply.
  std::string reply(std::string_view message, const StopToken& stop,
                    const SendMessage& notify) const;

 private:
  const Service& service_;
};

// Reads messages, a line each, from a file descriptor until it ends or the process is interrupted;
// each is worked on by a thread of its own. `send` is called by one thread at a time.
void serve_mcp(const Service& service, int input, const SendMessage& send);

}  // namespace fineprint::server
