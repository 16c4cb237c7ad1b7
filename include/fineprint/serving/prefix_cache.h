// The prefix cache: keeps states by content, in memory and beyond the process.
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

// Something that a ContentCache can hold, with its size.
class CachedContent {
 public:
  virtual ~CachedContent() = default;
  virtual std::size_t bytes() const = 0;
};

// A cache of at most `limit` bytes, by content key. Drops the least recently used entry first. An
// entry that somebody still holds lives on until it is released. Thread-safe.
class ContentCache {
 public:
  explicit ContentCache(std::size_t limit);
  ~ContentCache();

  // Returns the entry, or nullptr if there is none. Counts as a use.
  std::shared_ptr<const CachedContent> find(const std::string& key);
  // Adds an entry; replaces one with the same key. Does nothing if it is larger than the limit.
  void put(const std::string& key, std::shared_ptr<const CachedContent> kept);
  // Drops the least recently used entry. Returns false if the cache is empty.
  bool drop_oldest();
  // Returns the total size of the entries.
  std::size_t bytes() const;
  // Returns the number of entries.
  std::size_t count() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Bytes found on a shelf. They are mapped from a file, which stays open while `holder` lives.
struct ShelfItem {
  std::span<const std::uint8_t> bytes;
  std::shared_ptr<const void> holder;
};

// Keeps states beyond the process, for example in the folder `states/` of a store. Thread-safe.
class PrefixShelf {
 public:
  virtual ~PrefixShelf() = default;
  // Returns the bytes under a key, or nullopt if there are none. A damaged entry counts as missing
  // and causes a warning.
  virtual std::optional<ShelfItem> find(const std::string& key) const = 0;
  // Stores the concatenated parts under a key of hexadecimal digits. Does nothing if the key
  // exists. If writing fails, for example because the disk is full, it warns once and goes on,
  // because no result depends on it.
  virtual void put(const std::string& key,
                   std::span<const std::span<const std::uint8_t>> parts) = 0;
};

// How a generator keeps the states of prompts that it has read.
struct PrefixCacheOptions {
  std::size_t cache_bytes = 1'000'000'000;       // limit of the cache in memory
  std::shared_ptr<PrefixShelf> shelf = nullptr;  // keeps states beyond the process; may be nullptr
  // Number format of states on the shelf: auto (the format of the model, exact), float16, bfloat16
  // or int8 (approximate). Each format has keys of its own.
  std::string shelf_dtype = "auto";
};

// Returns the options of PrefixCacheOptions for the command line and for presets.
const OptionTable<PrefixCacheOptions>& prefix_cache_options();

}  // namespace fineprint::serving
