// A progress line on stderr: a bar that redraws itself on a terminal, else one plain line now and
// then. Silent when the log is quiet.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <string>

namespace fineprint {

// What is still to be done when a loop has ended.
struct TimeAfter {
  double seconds = 0;
  bool at_least = false;  // there is more to it, of which nobody knows how long it takes
};

class Progress {
 public:
  // `unit` is a plural ("pages"). `total` may be 0 for not yet known and can be raised later. With
  // `after`, asked from time to time, the time that is left counts what comes after the loop too.
  Progress(std::string title, std::string unit, long total, std::function<TimeAfter()> after = {});
  ~Progress();

  void add_total(long more);
  // Safe from several threads.
  void advance(long done = 1);
  // Clears the line; further calls do nothing.
  void finish();

 private:
  void draw(bool last);

  std::string title_, unit_;
  std::function<TimeAfter()> after_;
  long total_ = 0, done_ = 0;
  bool terminal_ = false, finished_ = false;
  std::chrono::steady_clock::time_point start_, last_draw_;
  std::mutex mutex_;
};

// "1:05", "2:03:04".
std::string format_duration(double seconds);

}  // namespace fineprint
