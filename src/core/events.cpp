// Passes events to listeners in their order.
#include "fineprint/core/events.h"

#include <algorithm>

#include "fineprint/core/log.h"

namespace fineprint {
namespace {

// Writes the lines of steps to the log. It looks at the level each time, because -v may be set
// later.
class EventLog : public EventListener {
 public:
  bool wants_lines() const override { return log::level() >= log::Level::verbose; }
  void take(const Event& event) override {
    if (!event.line.empty()) log::write(log::Level::verbose, "", event.line);
  }
};

bool any(const std::vector<EventListener*>& listeners, bool (EventListener::*wants)() const) {
  return std::ranges::any_of(listeners, [&](const EventListener* one) { return (one->*wants)(); });
}

}  // namespace

EventListener& event_log() {
  static EventLog log;
  return log;
}

bool Events::wants_fields() const { return any(listeners_, &EventListener::wants_fields); }

bool Events::wants_lines() const { return any(listeners_, &EventListener::wants_lines); }

bool Events::wants_progress() const { return any(listeners_, &EventListener::wants_progress); }

void Events::tell(const Event& event) const {
  for (EventListener* listener : listeners_) {
    // Most listeners know only steps. Listeners that ask for progress get the rest, too.
    if (event.kind == Event::Kind::step || listener->wants_progress()) listener->take(event);
  }
}

}  // namespace fineprint
