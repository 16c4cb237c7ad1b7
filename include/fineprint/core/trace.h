// The trace of a question: one entry for each step that it took, in order.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/events.h"

namespace fineprint {

// Collects steps as JSON objects. Thread-safe. An enabled trace costs one string for each step; a
// disabled one costs only the call.
class Trace : public EventListener {
 public:
  explicit Trace(bool enabled = false) : enabled_(enabled) {}
  bool enabled() const { return enabled_; }
  bool wants_fields() const override { return enabled_; }
  // Records the event if it is a step with a name.
  void take(const Event& event) override;

  // Adds {"step": step, "ms": ms, ...fields}. `fields_json` is a JSON object or empty. Throws
  // Error(internal) if it is something else.
  void add(std::string_view step, double ms, std::string_view fields_json = {});

  // Returns a JSON array of all entries; "[]" if there are none.
  std::string to_json() const;

 private:
  bool enabled_;
  mutable std::mutex mutex_;
  std::vector<std::string> entries_;
};

}  // namespace fineprint
