// Tables of kernels: what does one thing for each instruction set, of which the best is chosen.
#pragma once

#include <atomic>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/simd/instruction_set.h"

namespace fineprint::simd {

// What all tables have, whatever their kernels are. A table is known to all_tables() while it
// lives.
class KernelTable {
 public:
  KernelTable(const KernelTable&) = delete;
  KernelTable& operator=(const KernelTable&) = delete;

  // What the kernels do ("cosine"), and on values of which types ("float32, int8"): for people.
  const std::string& use() const { return use_; }
  const std::string& types() const { return types_; }
  // The sets that have a kernel here and that the machine has, best first.
  std::vector<InstructionSet> available() const;
  // Whose kernel is chosen; nothing where none may be used.
  std::optional<InstructionSet> in_use() const;

 protected:
  struct Entry {
    InstructionSet set;
    const void* kernel;
  };
  // `entries`: at most one for each set.
  KernelTable(std::string use, std::string types, std::vector<Entry> entries);
  ~KernelTable();

  const void* chosen_kernel() const {
    const Entry* entry = chosen_.load(std::memory_order_relaxed);
    return entry == nullptr ? nullptr : entry->kernel;
  }

 private:
  friend bool limit_to(std::string_view name);
  void choose();

  std::string use_;
  std::string types_;
  std::vector<Entry> entries_;  // those that the machine can run, best first
  std::atomic<const Entry*> chosen_ = nullptr;
};

// A table of kernels that are values of type Kernel: a function pointer, or a struct of some. They
// must outlive it. May be read from several threads.
template <class Kernel>
class Kernels : public KernelTable {
 public:
  struct Row {
    InstructionSet set;
    const Kernel* kernel;
  };
  Kernels(std::string use, std::string types, std::initializer_list<Row> rows)
      : KernelTable(std::move(use), std::move(types), entries_of(rows)) {}

  // The best one that may be used; the table has a portable one.
  const Kernel& best() const { return *find(); }
  // nullptr where there is none.
  const Kernel* find() const { return static_cast<const Kernel*>(chosen_kernel()); }

 private:
  static std::vector<Entry> entries_of(std::initializer_list<Row> rows) {
    std::vector<Entry> entries;
    for (const Row& row : rows) entries.push_back({row.set, row.kernel});
    return entries;
  }
};

// All tables of the program and of the libraries that it has opened, in the order in which they
// were made.
std::vector<const KernelTable*> all_tables();

// The names of the sets for which any of the tables has kernels and which the machine has, best
// first: limits (see limit_to) that make a difference to these tables.
std::vector<std::string> set_names(std::initializer_list<const KernelTable*> tables);
// The best set whose kernel is in use in any of them.
std::string best_in_use(std::initializer_list<const KernelTable*> tables);

}  // namespace fineprint::simd
