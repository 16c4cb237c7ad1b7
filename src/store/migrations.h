// The steps that bring a catalogue from each version of its tables to the next.
#pragma once

#include <cstdint>
#include <span>

#include "store/sqlite.h"

namespace fineprint::store {

// SQLite's application_id of a catalogue.
inline constexpr std::int64_t kApplicationId = 0x46507274;  // "FPrt"

struct Migration {
  const char* sql = "";
  void (*fill)(Database&) = nullptr;  // runs after `sql`, in the same transaction
};

// Entry i brings a catalogue from version i to version i + 1. A released entry never changes.
std::span<const Migration> migrations();

}  // namespace fineprint::store
