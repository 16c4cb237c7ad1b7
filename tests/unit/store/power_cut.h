// A disk that forgets what was not synced, under everything that the test program writes.
#pragma once

#include <string>

namespace fineprint::store::testing {

// Which of the changes that were not synced are lost.
enum class Lost {
  everything,  // contents and names
  contents,    // names are there already, as on file systems that write their journal first
};

// While one lives, syncs are noted and not done: what a test need not wait for.
class NoSyncs {
 public:
  NoSyncs();
  ~NoSyncs();
  NoSyncs(const NoSyncs&) = delete;
  NoSyncs& operator=(const NoSyncs&) = delete;
};

// From now on every write, sync and change of a name below `root` is recorded: those of this
// program and of SQLite. One recording at a time.
void begin_recording(const std::string& root);
void end_recording();
// How many changes and syncs there were so far.
std::size_t recorded();

// Whether the last of `count` changes made a difference to what is left.
bool makes_a_difference(std::size_t count, Lost lost);
// Makes at `target` what is left of the root when the power is cut after `count` of them.
void make_left_over(std::size_t count, Lost lost, const std::string& target);

}  // namespace fineprint::store::testing
