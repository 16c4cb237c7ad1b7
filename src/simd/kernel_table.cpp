// Keeps the list of all tables, and lets each choose its kernel.
#include "fineprint/simd/kernel_table.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

#include "simd/limit.h"

namespace fineprint::simd {
namespace {

struct Registry {
  std::mutex mutex;
  std::vector<KernelTable*> tables;
};

// A function's static, made before the first table and thus destroyed after the last one. Tables
// are static objects of many files, whose order of construction is not fixed.
Registry& registry() {
  static Registry made;
  return made;
}

}  // namespace

KernelTable::KernelTable(std::string use, std::string types, std::vector<Entry> entries)
    : use_(std::move(use)), types_(std::move(types)), entries_(std::move(entries)) {
  // A kernel that the machine lacks can never be chosen, so available() needs no second check.
  std::erase_if(entries_, [](const Entry& entry) { return !has(entry.set); });
  std::ranges::sort(entries_, std::greater<>(), &Entry::set);
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  choose();
  all.tables.push_back(this);
}

KernelTable::~KernelTable() {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  std::erase(all.tables, this);
}

// The caller holds the registry's mutex. Entries are sorted best first.
void KernelTable::choose() {
  const auto best = std::ranges::find_if(entries_, may_use, &Entry::set);
  chosen_ = best == entries_.end() ? nullptr : &*best;
}

std::vector<InstructionSet> KernelTable::available() const {
  std::vector<InstructionSet> sets;
  for (const Entry& entry : entries_) sets.push_back(entry.set);
  return sets;
}

std::optional<InstructionSet> KernelTable::in_use() const {
  const Entry* entry = chosen_.load(std::memory_order_relaxed);
  return entry == nullptr ? std::nullopt : std::optional(entry->set);
}

bool limit_to(std::string_view name) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  // The limit counts from here on, but each table caches its choice.
  if (!set_limit(name)) return false;
  for (KernelTable* table : all.tables) table->choose();
  return true;
}

std::vector<const KernelTable*> all_tables() {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  return {all.tables.begin(), all.tables.end()};
}

std::vector<std::string> set_names(std::initializer_list<const KernelTable*> tables) {
  std::set<InstructionSet, std::greater<>> sets;
  for (const KernelTable* table : tables) {
    for (const InstructionSet set : table->available()) sets.insert(set);
  }
  std::vector<std::string> names;
  for (const InstructionSet set : sets) names.emplace_back(name_of(set));
  return names;
}

std::string best_in_use(std::initializer_list<const KernelTable*> tables) {
  std::optional<InstructionSet> best;
  for (const KernelTable* table : tables) best = std::max(best, table->in_use());
  return best ? std::string(name_of(*best)) : std::string();
}

}  // namespace fineprint::simd
