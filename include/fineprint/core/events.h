// Reports what happens while a question is answered, once, to everybody who listens.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fineprint {

// One thing that happened. Fields are made only if a listener wants them, because most runs need
// none.
struct Event {
  enum class Kind {
    step,   // something is done
    began,  // a long step, for example a model call, has begun
    text,   // a piece of the text that a step is writing; the field is {"text"}
  };
  Kind kind = Kind::step;
  std::string_view step = {};  // "call", "budget"; empty if there is only a line to show
  double ms = 0;               // how long the step took
  std::string fields = {};     // a JSON object, or empty
  std::string line = {};       // the same for people; empty if it is not worth a line
};

// Receives events. Must be thread-safe, because events come from several threads.
class EventListener {
 public:
  virtual ~EventListener() = default;
  // Which parts of an event it reads. The other parts may be left empty, which saves making them.
  virtual bool wants_fields() const { return false; }
  virtual bool wants_lines() const { return false; }
  virtual bool wants_progress() const { return false; }  // also events other than steps
  // Called for each event, in the thread that reports it. Must not block for long.
  virtual void take(const Event& event) = 0;
};

// Returns the listener that logs the lines of steps on stderr, if -v is given.
EventListener& event_log();

// Passes events on to listeners, in the order of the list. The listeners must outlive this object.
// Safe from several threads, except for `add`.
class Events {
 public:
  explicit Events(std::vector<EventListener*> listeners) : listeners_(std::move(listeners)) {}
  void add(EventListener& listener) { listeners_.push_back(&listener); }

  // Returns true if at least one listener wants this part; see EventListener.
  bool wants_fields() const;
  bool wants_lines() const;
  bool wants_progress() const;
  // Passes the event to all listeners. Events other than steps go only to listeners that want
  // progress.
  void tell(const Event& event) const;

 private:
  std::vector<EventListener*> listeners_;
};

}  // namespace fineprint
