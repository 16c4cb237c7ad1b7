// The folder of the index that `ask PATH` keeps, and who may write to it now.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fineprint/store/store.h"

namespace fineprint::library {

// The folder of an index without a name. If it cannot be written, a temporary folder replaces it
// for this run, with a warning, and is removed with the object.
class KeptIndex {
 public:
  // Creates `dir` and its parent folders. Throws Error(unreadable) if a temporary folder cannot be
  // created either.
  explicit KeptIndex(const std::string& dir);
  ~KeptIndex();
  KeptIndex(const KeptIndex&) = delete;
  KeptIndex& operator=(const KeptIndex&) = delete;

  const std::string& dir() const { return dir_; }
  bool is_temporary() const { return temporary_; }

 private:
  std::string dir_;
  bool temporary_ = false;
};

// Returns the store, open for writing, or nullptr if another process writes to it. In that case a
// warning says that the answer uses the pages indexed so far. Throws what opening throws, and
// store::InUse if the store has no document yet.
std::unique_ptr<store::Store> open_unless_in_use(const std::string& dir);

// Throws Error(input) with the paths if the store has no document.
void require_documents(const store::Store& store, const std::vector<std::string>& paths);

}  // namespace fineprint::library
