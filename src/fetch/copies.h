// The copies of one host's or bucket's files on this machine, and facts about each.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/files.h"

namespace fineprint::fetch {

// What identified the original when its copy was made.
struct Copied {
  std::string etag, modified;  // as the server wrote them; empty if it did not
  std::uint64_t bytes = 0;
};

// A part of a file whose download is not complete.
struct Part {
  std::uint64_t bytes = 0;
  std::string etag;  // of the file that it is a part of; empty: nothing can be added to it
};

// The folder of the copies. Facts about them are in its file .copies.jsonl, one line for each copy
// that was made or removed, and parts in its folder .parts: hidden, so that nobody takes them for
// documents. Thread-safe for different files.
class Copies {
 public:
  // Creates the folder. Throws Error(input) if another process fetches from the same host now.
  explicit Copies(const std::string& folder);

  // Returns the facts about the copy of this path. nullopt: there is none, or its file is not
  // as it was left.
  std::optional<Copied> find(const std::string& path) const;
  // Returns the paths of all copies at or below this path.
  std::vector<std::string> all_below(const std::string& path) const;
  // Removes a copy, and the folders that are empty then.
  void remove(const std::string& path);

  // Returns what there is of an interrupted download.
  Part part_of(const std::string& path) const;
  // Writes a part: from its beginning, or from its end.
  class PartWriter {
   public:
    PartWriter(Copies& copies, const std::string& path, const std::string& etag, bool from_start);
    ~PartWriter();
    PartWriter(const PartWriter&) = delete;
    PartWriter& operator=(const PartWriter&) = delete;
    // Throws Error(unreadable), for example if the disk is full.
    void write(std::string_view bytes);

   private:
    std::string file_;
    int descriptor_ = -1;
  };
  void drop_part(const std::string& path);
  // Makes the complete part the copy. Its time is that of the original, if that is known. Throws
  // Error(unreadable), for example if there is a folder of this name.
  void finish(const std::string& path, const Copied& facts);

 private:
  std::string place_of(const std::string& path) const { return folder_ + "/" + path; }
  std::string part_file(const std::string& path) const;
  void record(const std::string& path, const std::optional<Copied>& facts);

  std::string folder_;
  std::unique_ptr<LineAppender> lines_;
  mutable std::mutex mutex_;  // guards `known_`
  std::map<std::string, Copied> known_;
};

}  // namespace fineprint::fetch
