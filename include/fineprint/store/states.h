// States of generators that outlive the process: files in the folder `states/` of a store.
//
//   states/<key>.state        a header (key, model, length), the bytes, checksums of both
//
// A file is written whole under another name and then renamed, and never changed afterwards, so
// that any number of processes may read and write at once without a lock and without the catalogue:
// commands that only read the store keep states too. The key names the content: who finds a file
// under it need not ask who wrote it. Nothing depends on a state: one that is gone or damaged is
// computed again.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fineprint/core/option.h"

namespace fineprint::store {

struct StateOptions {
  std::string model = {};  // of the states that are put, for people: "Qwen2.5-VL-7B-Instruct"
  // Of all files in the folder; what was not used for the longest time makes room. Processes that
  // write at once look at each other's files now and then: each may exceed the limit by a
  // sixteenth.
  std::uint64_t limit_bytes = 20'000'000'000;
  // Nothing is put that would leave less of the disk free.
  std::uint64_t leave_free_bytes = 1'000'000'000;
};

const OptionTable<StateOptions>& state_options();

// A state in a mapped file, which stays whole while `holder` lives, also when it is deleted. (A
// stranger who shortens the file in place can still end the process, as with any mapped file.)
struct FoundState {
  std::span<const std::uint8_t> bytes;  // begins at a multiple of 64
  std::shared_ptr<const void> holder;
};

struct StateCount {
  std::int64_t states = 0, bytes = 0;
};

struct StateSummary {
  std::map<std::string, StateCount> by_model;
  StateCount unusable;  // files that are no whole states, judged by their headers
};

// Safe from several threads; several may be open on one folder, in several processes.
class StateFolder {
 public:
  // Touches nothing: `states/` is made by the first put.
  explicit StateFolder(const std::string& store_dir, StateOptions options = {});
  ~StateFolder();

  // nullopt when it is not there; what is damaged counts as not there, is warned of once, and
  // replaced by the next put. The checksum is compared when this object first sees a file. Keys
  // are 1 to 128 lower-case hexadecimal digits, else Error(internal).
  std::optional<FoundState> find(const std::string& key) const;
  // Whether there is a file of this key whose header is sound.
  bool holds(const std::string& key) const;
  // Puts the pieces, one behind the other, on the disk for good; does nothing when the key is there
  // or being put. Whether it is there now. What cannot be written (a full disk, a folder that is
  // read-only) is warned of once, and after a failure nothing more is tried.
  bool put(const std::string& key, std::span<const std::span<const std::uint8_t>> pieces);

  StateSummary summary() const;
  // Reads every byte. One line for each file that is damaged, foreign or left by a process that
  // ended while it wrote. Empty: sound.
  std::vector<std::string> check() const;
  // Deletes damaged states and what was left by processes that ended; not files of other names.
  StateCount remove_unusable();
  // Deletes what was not used for the longest time until no more than so many bytes are left.
  StateCount prune(std::uint64_t limit_bytes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fineprint::store
