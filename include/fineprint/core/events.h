// What happens while a question is answered, told once to all who listen.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fineprint {

struct Event {
  enum class Kind {
    step,   // something was done
    began,  // a step that takes long, as a call of a model, has begun
    text,   // a piece of what a step is writing; {"text"}
  };
  Kind kind = Kind::step;
  std::string_view step = {};  // "call", "budget"; empty: there is only the line
  double ms = 0;               // that it took
  std::string fields = {};     // a JSON object, or empty
  std::string line = {};       // the same for people; empty: it is not worth a line
};

// Safe from several threads, as events come from them.
class EventListener {
 public:
  virtual ~EventListener() = default;
  // What it takes of an event; the rest need not be made for it.
  virtual bool wants_fields() const { return false; }
  virtual bool wants_lines() const { return false; }
  virtual bool wants_progress() const { return false; }  // events that are no steps
  virtual void take(const Event& event) = 0;
};

// Shows steps to the person at the terminal, where -v was given.
EventListener& event_log();

// Passes events on to listeners, which must outlive it.
class Events {
 public:
  explicit Events(std::vector<EventListener*> listeners) : listeners_(std::move(listeners)) {}
  void add(EventListener& listener) { listeners_.push_back(&listener); }

  // Whether anybody does; see EventListener.
  bool wants_fields() const;
  bool wants_lines() const;
  bool wants_progress() const;
  // Tells all listeners, those of progress alone when it is no step.
  void tell(const Event& event) const;

 private:
  std::vector<EventListener*> listeners_;
};

}  // namespace fineprint
