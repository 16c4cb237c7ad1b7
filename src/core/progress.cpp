// Draws how far a long loop has come, how fast it runs and when it will end.
#include "fineprint/core/progress.h"

#include <algorithm>
#include <cmath>

#include "fineprint/core/format.h"
#include "fineprint/core/log.h"

#include "core/terminal.h"

namespace fineprint {
namespace {

using Clock = std::chrono::steady_clock;

// A terminal can be redrawn often. Elsewhere each update is a new line, for example in a log file.
constexpr std::chrono::milliseconds kRedrawEvery{100};
constexpr std::chrono::seconds kPlainLineEvery{10};
constexpr int kBarColumns = 20;

std::string bar_of(long done, long total) {
  const double share = std::clamp(static_cast<double>(done) / static_cast<double>(total), 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(share * kBarColumns);
  return "[" + std::string(filled, '#') + std::string(kBarColumns - filled, '.') + "] ";
}

// Returns "120/500 pages, 12.3 pages/s, 0:31 left"; "... 4:10 left in all" if more work follows.
std::string counts_of(long done, long total, const std::string& unit, double seconds,
                      const TimeAfter& after) {
  std::string text =
      total > 0 ? format("{}/{} {}", done, total, unit) : format("{} {}", done, unit);
  if (seconds <= 0 || done == 0) return text;
  // The mean from the start, which changes slowly, so that the remaining time does not jump.
  const double rate = static_cast<double>(done) / seconds;
  text += format(rate < 10 ? ", {:.1f} {}/s" : ", {:.0f} {}/s", rate, unit);
  const bool more = after.seconds > 0 || after.at_least;
  if (total > done || (total > 0 && more)) {
    const double left = static_cast<double>(std::max(0L, total - done)) / rate + after.seconds;
    text += format(", {}{} left{}", after.at_least ? "more than " : "", format_duration(left),
                   more ? " in all" : "");
  }
  return text;
}

}  // namespace

Progress::Progress(std::string title, std::string unit, long total,
                   std::function<TimeAfter()> after)
    : title_(std::move(title)),
      unit_(std::move(unit)),
      after_(std::move(after)),
      total_(total),
      terminal_(terminal::is_terminal()),
      start_(Clock::now()),
      last_draw_(start_) {}

// An exception must not leave a bar on the terminal.
Progress::~Progress() { finish(); }

void Progress::add_total(long more) {
  const std::lock_guard lock(mutex_);
  total_ += more;
}

void Progress::advance(long done) {
  const std::lock_guard lock(mutex_);
  done_ += done;
  if (finished_) return;
  const auto since = Clock::now() - last_draw_;
  if (terminal_ ? since >= kRedrawEvery : since >= kPlainLineEvery) draw(false);
}

void Progress::finish() {
  const std::lock_guard lock(mutex_);
  if (finished_) return;
  finished_ = true;
  // Without a terminal, short loops write nothing: the last line appears only after earlier ones.
  if (terminal_ || last_draw_ != start_) draw(true);
}

void Progress::draw(bool last) {
  last_draw_ = Clock::now();
  if (log::level() == log::Level::quiet) return;
  const double seconds = std::chrono::duration<double>(last_draw_ - start_).count();
  const std::string counts =
      counts_of(done_, total_, unit_, seconds, after_ ? after_() : TimeAfter{});
  if (!terminal_) {
    log::note("{}: {}", title_, counts);
  } else if (last) {
    terminal::show_bar({});
  } else {
    std::string text = title_ + " " + (total_ > 0 ? bar_of(done_, total_) : "") + counts;
    // A bar that wraps onto a second line could not be erased.
    const auto width = static_cast<std::size_t>(std::max(1, terminal::columns() - 1));
    terminal::show_bar(std::string_view(text).substr(0, width));
  }
}

std::string format_duration(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "?";
  // Clamped because a huge or infinite estimate would overflow the conversion.
  const auto whole = static_cast<long>(std::min(std::round(seconds), 1e9));
  const long hours = whole / 3600;
  if (hours > 0) return format("{}:{:02}:{:02}", hours, whole / 60 % 60, whole % 60);
  return format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace fineprint
