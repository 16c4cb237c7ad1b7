// The index that `ask PATH` keeps: where it lies, and who may write to it just now.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fineprint/store/store.h"

namespace fineprint::cli {

// The folder for an index that nobody named. Where that cannot be written, a temporary one stands
// in for this run, which is said, and goes with the object.
class KeptIndex {
 public:
  // `dir` is made, with the folders above it. Throws Error(unreadable) when no temporary folder can
  // be made either.
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

// The store, open for writing; nullptr while another process writes to it: what it has read so far
// is to be used as it is, which is said. Throws what opening throws, store::InUse when there is no
// document yet.
std::unique_ptr<store::Store> open_unless_in_use(const std::string& dir);

// Throws Error(input) that names the paths when nothing under them could be read.
void require_documents(const store::Store& store, const std::vector<std::string>& paths);

}  // namespace fineprint::cli
