// Remembers, from one process to the next, what came out of reading every byte of large files.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace fineprint::models {

// Findings about files as they are now: about another file, or a changed one, nothing is
// remembered. They are small files in the user's cache folder and are forgotten after a day, so
// that damage on the disk is noticed, which changes no file's time. If that folder cannot be used,
// nothing is remembered.
class ReadOnce {
 public:
  using Clock = std::chrono::system_clock;

  // `about`: what else the findings depend on, besides the bytes of the files at `paths`.
  ReadOnce(const std::string& about, const std::vector<std::string>& paths,
           Clock::time_point now = Clock::now());

  // Returns what was found out under `name`; nullopt if nothing is remembered.
  std::optional<std::string> find(const std::string& name) const;
  // Remembers a short text without line breaks.
  void keep(const std::string& name, const std::string& found) const;

 private:
  std::string file(const std::string& name) const;

  Clock::time_point now_;
  std::string key_;  // empty: nothing can be remembered
};

}  // namespace fineprint::models
