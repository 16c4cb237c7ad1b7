// Tables of kernels: one job, one kernel for each instruction set, and the best one chosen at run
// time.
#pragma once

#include <atomic>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/simd/instruction_set.h"

namespace fineprint::simd {

// The part of a table that does not depend on the kernels' type. all_tables() lists a table as long
// as it lives.
class KernelTable {
 public:
  // Not copyable, because the registry of all tables holds the table's address.
  KernelTable(const KernelTable&) = delete;
  KernelTable& operator=(const KernelTable&) = delete;

  // What the kernels compute ("cosine") and on which types ("float32, int8"). Shown to people only.
  const std::string& use() const { return use_; }
  const std::string& types() const { return types_; }
  // Returns the sets that this table has kernels for and this machine can run, best first.
  std::vector<InstructionSet> available() const;
  // Returns the set of the chosen kernel, or nothing if no kernel of the table may be used.
  std::optional<InstructionSet> in_use() const;

 protected:
  // A kernel whose type only the derived class knows.
  struct Entry {
    InstructionSet set;
    const void* kernel;
  };
  // `entries` holds at most one kernel for each set. Chooses the best kernel that may be used.
  KernelTable(std::string use, std::string types, std::vector<Entry> entries);
  ~KernelTable();

  // Returns the chosen kernel, or nullptr if none may be used. It reads an atomic, because limit_to
  // may choose again in another thread.
  const void* chosen_kernel() const {
    const Entry* entry = chosen_.load(std::memory_order_relaxed);
    return entry == nullptr ? nullptr : entry->kernel;
  }

 private:
  friend bool limit_to(std::string_view name);
  // Chooses the best kernel that may be used now. Called at construction and by limit_to.
  void choose();

  std::string use_;
  std::string types_;
  std::vector<Entry> entries_;  // only kernels that the machine can run, best first
  std::atomic<const Entry*> chosen_ = nullptr;
};

// A table of kernels of type Kernel: a function pointer or a struct of function pointers. The
// kernels must outlive the table. Several threads may read a table at the same time.
//
// For example:
//   const simd::Kernels<DotKernel> kDot("dot", "float32", {{InstructionSet::portable, &kPlain},
//                                                          {InstructionSet::avx2, &kAvx2}});
//   const float sum = kDot.best()(a, b, n);
template <class Kernel>
class Kernels : public KernelTable {
 public:
  // One kernel, and the instruction set that it needs.
  struct Row {
    InstructionSet set;
    const Kernel* kernel;
  };
  // `rows` may be in any order and holds at most one kernel for each set. Kernels that the machine
  // cannot run are dropped.
  Kernels(std::string use, std::string types, std::initializer_list<Row> rows)
      : KernelTable(std::move(use), std::move(types), entries_of(rows)) {}

  // Returns the best kernel that may be used. The table must have a portable one, so that there
  // always is a result.
  const Kernel& best() const { return *find(); }
  // Returns the best kernel that may be used, or nullptr if there is none.
  const Kernel* find() const { return static_cast<const Kernel*>(chosen_kernel()); }

 private:
  static std::vector<Entry> entries_of(std::initializer_list<Row> rows) {
    std::vector<Entry> entries;
    for (const Row& row : rows) entries.push_back({row.set, row.kernel});
    return entries;
  }
};

// Returns all tables of the program and of the libraries that it has opened, in the order in which
// they were made.
std::vector<const KernelTable*> all_tables();

// Returns the names of the sets that this machine has and that any of `tables` has kernels for,
// best first. These are the limits (see limit_to) that change something for `tables`; for example,
// tests run once for each of them.
std::vector<std::string> set_names(std::initializer_list<const KernelTable*> tables);
// Returns the name of the best set whose kernel any of `tables` uses now; empty if none is in use.
std::string best_in_use(std::initializer_list<const KernelTable*> tables);

}  // namespace fineprint::simd
