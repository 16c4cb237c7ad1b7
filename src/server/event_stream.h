// Replies that are said bit by bit, as server-sent events.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "fineprint/core/stop.h"

#include "server/http.h"

namespace fineprint::server {

// Sends an event with these data, one line; an empty name: without one. Safe from several threads.
using SendEvent = std::function<void(std::string_view name, std::string_view data)>;

// `work` makes the events on a thread of its own, so that a client that reads slowly keeps no model
// waiting; it must not throw. Its token asks to stop, too, once the client is gone.
HttpReply event_stream(const StopToken& stop,
                       std::function<void(const SendEvent&, const StopToken&)> work);

// "event: NAME\ndata: DATA\n\n". Source: WHATWG HTML, section 9.2.
std::string event_text(std::string_view name, std::string_view data);

}  // namespace fineprint::server
