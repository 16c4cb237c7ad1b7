// Shows the progress of a long loop on stderr: a bar that redraws itself on a terminal, else a
// plain line every few seconds. Silent if the log level is quiet.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <string>

namespace fineprint {

// The time that is needed after a loop has ended.
struct TimeAfter {
  double seconds = 0;     // for the work that is known
  bool at_least = false;  // more work follows, and nobody knows how long it takes
};

// The progress of one loop. Thread-safe. The destructor calls `finish`.
class Progress {
 public:
  // `unit` is a plural, for example "pages". `total` may be 0 if it is not known yet, and can grow
  // later. If `after` is given, the estimate of the remaining time includes what follows the loop;
  // `after` is called each time the line is drawn.
  Progress(std::string title, std::string unit, long total, std::function<TimeAfter()> after = {});
  ~Progress();

  // Raises the total.
  void add_total(long more);
  // Records that `done` more units are finished.
  void advance(long done = 1);
  // Removes the bar, or writes a last line. Later calls draw nothing.
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

// Returns a duration as "1:05" or "2:03:04"; "?" if it is negative or not finite.
std::string format_duration(double seconds);

}  // namespace fineprint
