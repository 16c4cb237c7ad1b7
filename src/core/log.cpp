// Writes log lines to standard error, formatted by spdlog.
#include "fineprint/core/log.h"

#include <atomic>
#include <memory>
#include <mutex>

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>

#include "fineprint/core/shortened.h"

#include "core/terminal.h"

namespace fineprint::log {
namespace {

// Sends lines through core/terminal, so that they do not overwrite the progress bar.
class StderrSink : public spdlog::sinks::base_sink<std::mutex> {
 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    terminal::write_lines({line.data(), line.size()});
  }
  void flush_() override {}
};

// Messages quote text from documents, which may be megabytes long.
constexpr std::size_t kMostMessage = 2000;

// A person who asks for steps wants to see when they happen; others need no time stamps.
constexpr const char* kPlainPattern = "%v";
constexpr const char* kTimedPattern = "%H:%M:%S.%e %v";

spdlog::logger& logger() {
  // Never destroyed, because threads may log while the program ends.
  static auto* instance = [] {
    auto* created = new spdlog::logger("fineprint", std::make_shared<StderrSink>());
    created->set_level(spdlog::level::trace);
    created->set_pattern(kPlainPattern);
    return created;
  }();
  return *instance;
}

std::atomic<Level> current_level{Level::normal};
std::atomic<bool> colored{false};

std::string_view color_of(Level at) {
  if (at == Level::quiet) return "\x1b[1;31m";   // errors: bold red
  if (at == Level::normal) return "\x1b[1;33m";  // warnings: bold yellow
  return "\x1b[2m";
}

// Replaces control characters by blanks. Messages quote names and text of documents: a newline in
// them could fake a second message, and an escape sequence would reach the terminal.
void append_printable(std::string_view text, std::string& out) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7f ? ' ' : c;
  }
}

}  // namespace

void set_level(Level level) {
  current_level = level;
  logger().set_pattern(level >= Level::verbose ? kTimedPattern : kPlainPattern);
}

Level level() { return current_level; }

void set_color(bool on) { colored = on; }

void write(Level at, std::string_view label, std::string_view message) {
  if (at > current_level) return;
  std::string line;
  if (!label.empty()) {
    if (colored) line += color_of(at);
    line.append(label).append(":");
    if (colored) line += "\x1b[0m";
    line += ' ';
  }
  append_printable(shortened(message, kMostMessage), line);
  logger().log(spdlog::level::info, spdlog::string_view_t(line.data(), line.size()));
}

}  // namespace fineprint::log
