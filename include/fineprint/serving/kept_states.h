// What was computed once and may be wanted again: by content, in memory and beyond the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "fineprint/core/option.h"

namespace fineprint::serving {

// Something of a known size that is kept in memory.
class Kept {
 public:
  virtual ~Kept() = default;
  virtual std::size_t bytes() const = 0;
};

// At most `limit` bytes of things under content keys; the least recently used go first. Things that
// somebody still holds live on until let go. Safe from many threads.
class KeptCache {
 public:
  explicit KeptCache(std::size_t limit);
  ~KeptCache();

  // nullptr when it is not there. Counts as a use.
  std::shared_ptr<const Kept> find(const std::string& key);
  // Something larger than the limit is not kept. Replaces what has the same key.
  void put(const std::string& key, std::shared_ptr<const Kept> kept);
  // Lets the least recently used thing go; false when there is none.
  bool drop_oldest();
  std::size_t bytes() const;
  std::size_t count() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Bytes found on a shelf, mapped from a file that stays open while `holder` lives.
struct ShelfItem {
  std::span<const std::uint8_t> bytes;
  std::shared_ptr<const void> holder;
};

// Where states outlive the process. Safe from many threads.
class StateShelf {
 public:
  virtual ~StateShelf() = default;
  // nullopt when it is not there; what is damaged counts as not there and is warned of.
  virtual std::optional<ShelfItem> find(const std::string& key) const = 0;
  // Puts the parts, one behind the other, under a key of hexadecimal digits; does nothing when the
  // key is there. What cannot be written (a full disk) is warned of once: nobody depends on it.
  virtual void put(const std::string& key,
                   std::span<const std::span<const std::uint8_t>> parts) = 0;
};

// How a generator keeps what it has read.
struct KeepOptions {
  std::size_t cache_bytes = 1'000'000'000;      // in memory
  std::shared_ptr<StateShelf> shelf = nullptr;  // beyond the process, when given
  // How states lie on the shelf: auto (the model's own format: exact) | float16 | bfloat16 | int8
  // (approximate, under keys of their own).
  std::string shelf_dtype = "auto";
};

const OptionTable<KeepOptions>& keep_options();

}  // namespace fineprint::serving
