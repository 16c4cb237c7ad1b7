// The prefix cache of generators on disk: attention states of prompt beginnings that outlive the
// process, as files in the folder `states/` of a store.
//
//   states/<key>.state        a header (key, model, length), the bytes, checksums of both
//
// A file is written under a temporary name, then renamed, and never changes afterwards. Therefore
// any number of processes may read and write at the same time without a lock and without the
// catalogue: even commands that only read the store can keep states. The key identifies the
// content, so it does not matter which process wrote a file. Nothing depends on a state: if one is
// missing or damaged, the generator computes it again.
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

// Limits of the folder `states/`.
struct PrefixFolderOptions {
  // The model whose states are put, for people: for example "Qwen2.5-VL-7B-Instruct".
  std::string model = {};
  // Limit for all files in the folder, in bytes. The states that were not used for the longest time
  // are deleted first. Processes that write at the same time see each other's files only now and
  // then, so each may exceed the limit by up to a sixteenth.
  std::uint64_t limit_bytes = 20'000'000'000;
  // A state is not put if the disk would have fewer free bytes than this afterwards.
  std::uint64_t leave_free_bytes = 1'000'000'000;
};

// Returns the options that users may set: `--states-bytes`.
const OptionTable<PrefixFolderOptions>& prefix_folder_options();

// A state in a mapped file. The bytes stay valid while `holder` lives, even if the file is deleted.
// (Another program that truncates the file in place can still crash this process, as with any
// mapped file.)
struct FoundPrefix {
  std::span<const std::uint8_t> bytes;  // the address is a multiple of 64
  std::shared_ptr<const void> holder;
};

// A number of state files, and their total size in bytes.
struct PrefixCount {
  std::int64_t states = 0, bytes = 0;
};

// The content of the folder, for `fineprint doctor` and similar reports.
struct PrefixSummary {
  std::map<std::string, PrefixCount> by_model;
  PrefixCount unusable;  // files whose headers are damaged or that are not states
};

// The states of one store. Safe from several threads. Several objects, in several processes, may
// use one folder at the same time.
class PrefixFolder {
 public:
  // Does not touch the disk: the first put() creates `states/`.
  explicit PrefixFolder(const std::string& store_dir, PrefixFolderOptions options = {});
  ~PrefixFolder();

  // Returns the state stored under `key`, or nullopt if there is none. A damaged file counts as
  // missing: this warns about it once, and the next put() replaces it. The checksum is compared
  // only when this object first sees a file, because comparing reads every byte. Throws
  // Error(internal) unless `key` consists of 1 to 128 lower-case hexadecimal digits.
  std::optional<FoundPrefix> find(const std::string& key) const;
  // Returns true if there is a file for this key with a sound header.
  bool holds(const std::string& key) const;
  // Writes the pieces, one after the other, to the disk and syncs them. Does nothing if the key
  // exists already or another thread is putting it. Returns true if the state is on disk
  // afterwards. If writing fails (for example, a full disk or a read-only folder), this warns once,
  // and the object never tries to write again.
  bool put(const std::string& key, std::span<const std::span<const std::uint8_t>> pieces);

  // Counts the states by model. Reads only the headers.
  PrefixSummary summary() const;
  // Reads every byte. Returns one line for each file that is damaged, is not a state, or was left
  // by a process that died while writing. Returns an empty list if everything is sound.
  std::vector<std::string> check() const;
  // Deletes damaged states and files left by processes that died. Keeps files with other names,
  // because this program did not write them. Returns what was deleted.
  PrefixCount remove_unusable();
  // Deletes the states that were not used for the longest time until at most `limit_bytes` are
  // left. Files that are being written, or that are not states, count but are not deleted: warns if
  // they keep the folder above the limit. Returns what was deleted.
  PrefixCount prune(std::uint64_t limit_bytes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fineprint::store
