// What happened while a question was answered: one entry a step, in order.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/events.h"

namespace fineprint {

// Collects steps as JSON objects. Safe from several threads. Recording costs a string; a disabled
// trace costs nothing but the call.
class Trace : public EventListener {
 public:
  explicit Trace(bool enabled = false) : enabled_(enabled) {}
  bool enabled() const { return enabled_; }
  bool wants_fields() const override { return enabled_; }
  void take(const Event& event) override;

  // Adds {"step": name, "ms": elapsed, ...fields}. `fields_json` is an object or empty.
  void add(std::string_view step, double ms, std::string_view fields_json = {});

  // A JSON array of all entries, "[]" when there are none.
  std::string to_json() const;

 private:
  bool enabled_;
  mutable std::mutex mutex_;
  std::vector<std::string> entries_;
};

}  // namespace fineprint
