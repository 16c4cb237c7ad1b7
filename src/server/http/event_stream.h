// Replies that are sent bit by bit, as server-sent events or as lines of JSON.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "fineprint/core/stop.h"

#include "server/http/http.h"

namespace fineprint::server {

// Sends an event with one line of data. If the name is empty, the event has none. Safe to use from
// several threads.
using SendEvent = std::function<void(std::string_view name, std::string_view data)>;

// How events are written.
struct StreamForm {
  bool lines = false;  // each event is a line of data without its name, as in NDJSON
  // Sent after a while without an event, because proxies may close idle connections.
  std::string filler = ": still at it\n\n";
};

// Returns a reply whose events `work` makes. It runs on its own thread, so that a client that reads
// slowly does not keep a model waiting. It must not throw. Its token also asks to stop if the
// client is gone.
HttpReply event_stream(const StopToken& stop,
                       std::function<void(const SendEvent&, const StopToken&)> work,
                       const StreamForm& form = {});

// Returns "event: NAME\ndata: DATA\n\n". Source: WHATWG HTML, section 9.2.
std::string event_text(std::string_view name, std::string_view data);

}  // namespace fineprint::server
