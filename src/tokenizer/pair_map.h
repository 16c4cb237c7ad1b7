// A hash table from pairs of token ids to small values: the most used part of byte-pair encoding.
#pragma once

#include <cstdint>
#include <vector>

namespace fineprint::tokenizer {

// Open addressing with linear probing in one array. std::unordered_map would allocate a node for
// each entry, of which a vocabulary has hundreds of thousands.
template <typename Value>
class PairMap {
 public:
  explicit PairMap(std::size_t expected = 0) {
    std::size_t capacity = 16;
    while (capacity < expected + expected / 2) capacity *= 2;
    slots_.resize(capacity);
  }

  // Sets the value of a pair. A later value replaces an earlier one.
  void set(std::int32_t first, std::int32_t second, Value value) {
    if ((count_ + 1) * 4 > slots_.size() * 3) grow();
    Slot& slot = slots_[find_slot(key_of(first, second))];
    if (slot.key == kFree) ++count_;
    slot = {key_of(first, second), value};
  }

  // Returns the value of a pair; nullptr if it has none.
  const Value* find(std::int32_t first, std::int32_t second) const {
    const Slot& slot = slots_[find_slot(key_of(first, second))];
    return slot.key == kFree ? nullptr : &slot.value;
  }

 private:
  // Free slot; ids are never negative, so no pair has this key.
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};

  struct Slot {
    std::uint64_t key = kFree;
    Value value{};
  };

  static std::uint64_t key_of(std::int32_t first, std::int32_t second) {
    return (std::uint64_t{static_cast<std::uint32_t>(first)} << 32) |
           static_cast<std::uint32_t>(second);
  }

  std::size_t find_slot(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    // Fibonacci hashing: multiplies by 2^64 divided by the golden ratio, which spreads consecutive
    // ids.
    std::uint64_t hash = key * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
    std::size_t at = hash & mask;
    while (slots_[at].key != key && slots_[at].key != kFree) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.key != kFree) slots_[find_slot(slot.key)] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

}  // namespace fineprint::tokenizer
