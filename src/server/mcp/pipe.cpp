// Runs MCP over a pair of pipes: one message a line, each on its own thread.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <poll.h>
#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/text.h"
#include "fineprint/core/threads.h"
#include "fineprint/server/mcp.h"

#include "server/mcp/rpc.h"

namespace fineprint::server {
namespace {

constexpr std::size_t kMostLineBytes = std::size_t{32} << 20;
constexpr std::size_t kMostCalls = 64;  // in progress; the next line is read after one has ended
constexpr std::size_t kMostSubscriptions = 16;  // of these calls, because they last
constexpr int kInputLookMs = 200;
constexpr auto kFarewell = std::chrono::seconds(5);  // for calls in progress when the input ends

// Reads lines from a descriptor.
class LineReader {
 public:
  explicit LineReader(int input) : input_(input) {}

  // Returns nullopt at the end of the input or after an interrupt. If a line is too long, the
  // surplus is dropped, so that it is not valid JSON and gets an error as reply.
  std::optional<std::string> next() {
    for (;;) {
      const std::size_t end = read_.find('\n');
      if (end != std::string::npos) {
        std::string line = read_.substr(0, end);
        read_.erase(0, end + 1);
        return line;
      }
      if (!more()) return read_.empty() ? std::nullopt : std::optional(std::exchange(read_, {}));
    }
  }

 private:
  bool more() {
    for (;;) {
      if (interrupted()) return false;
      pollfd one{input_, POLLIN, 0};
      if (::poll(&one, 1, kInputLookMs) <= 0) continue;
      char piece[65536];
      const ssize_t got = ::read(input_, piece, sizeof piece);
      if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (got <= 0) return false;
      const std::string_view text(piece, static_cast<std::size_t>(got));
      // Line ends are kept even if the text before them is dropped, so that the next message stays
      // intact.
      if (read_.size() < kMostLineBytes) {
        read_ += text;
      } else if (const std::size_t at = text.find('\n'); at != std::string_view::npos) {
        read_ += text.substr(at);
      }
      return true;
    }
  }

  const int input_;
  std::string read_;
};

// The parts of a message that decide how it is handled.
struct Envelope {
  std::string id;         // as JSON text; empty: not a request
  std::string cancelled;  // the id of the request that it cancels
  bool subscribes = false;
};

// Only looks at the message; errors are left to Mcp::reply().
Envelope envelope_of(const std::string& line) {
  Envelope envelope;
  try {
    const Json message = parse_json(line, "the message");
    if (!message.is_object() || !message.contains("method")) return envelope;
    if (message.contains("id")) envelope.id = dump_json(message["id"]);
    envelope.subscribes = message["method"] == "subscriptions/listen";
    if (message["method"] == "notifications/cancelled" && message.contains("params") &&
        message["params"].is_object() && message["params"].contains("requestId")) {
      envelope.cancelled = dump_json(message["params"]["requestId"]);
    }
  } catch (const Error&) {
    // The reply reports the problem.
  }
  return envelope;
}

// The calls in progress.
class Calls {
 public:
  Calls(const Service& service, const SendMessage& send) : mcp_(service), send_(send) {}

  // Waits if too many calls run, so that a client cannot exhaust the threads.
  void begin(std::string line, const Envelope& envelope) {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [this] { return running_ < kMostCalls; });
    join_ended();
    if (envelope.subscribes && subscriptions() >= kMostSubscriptions) {
      lock.unlock();
      send(dump_json(
          error_reply(parse_json(envelope.id, "the id"), kFailed,
                      format("{} subscriptions are open; cancel one first", kMostSubscriptions))));
      return;
    }
    Call& call = calls_.emplace_back();
    call.id = envelope.id;
    call.subscribes = envelope.subscribes;
    ++running_;
    call.thread = std::thread([this, &call, line = std::move(line)] { work(call, line); });
  }

  void cancel(const std::string& id) {
    const std::lock_guard guard(mutex_);
    for (Call& call : calls_) {
      if (call.id != id || call.is_over) continue;
      call.is_cancelled = true;
      call.stop.request_stop();
    }
  }

  // Ends subscriptions, gives other calls in progress a little time, then asks them to stop.
  void finish() {
    std::unique_lock lock(mutex_);
    for (Call& call : calls_) {
      if (call.subscribes) call.stop.request_stop();
    }
    ended_.wait_for(lock, kFarewell, [this] { return running_ == 0; });
    for (Call& call : calls_) call.stop.request_stop();
    ended_.wait(lock, [this] { return running_ == 0; });
    join_ended();
  }

 private:
  struct Call {
    std::string id;
    StopSource stop{StopToken::of_process()};
    bool subscribes = false, is_cancelled = false, is_over = false;
    std::thread thread;
  };

  void work(Call& call, const std::string& line) {
    const auto notify = [this, &call](const std::string& text) {
      if (!is_cancelled(call)) send(text);
    };
    const McpReply reply = mcp_.reply(line, call.stop.token(), notify);
    if (!reply.message.empty() && !is_cancelled(call)) send(reply.message);
    const std::lock_guard guard(mutex_);
    call.is_over = true;
    --running_;
    ended_.notify_all();
  }

  // Called under the lock.
  std::size_t subscriptions() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        calls_, [](const Call& call) { return call.subscribes && !call.is_over; }));
  }

  bool is_cancelled(const Call& call) {
    const std::lock_guard guard(mutex_);
    return call.is_cancelled;
  }

  void send(const std::string& text) {
    const std::lock_guard guard(sending_);
    send_(text);
  }

  // Called under the lock. A thread that is over no longer needs it, so joining cannot block.
  void join_ended() {
    std::erase_if(calls_, [](Call& call) {
      if (call.is_over) call.thread.join();
      return call.is_over;
    });
  }

  const Mcp mcp_;
  const SendMessage& send_;
  std::mutex sending_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable ended_;
  std::list<Call> calls_;
  std::size_t running_ = 0;
};

}  // namespace

void serve_mcp(const Service& service, int input, const SendMessage& send) {
  LineReader lines(input);
  Calls calls(service, send);
  while (std::optional<std::string> line = lines.next()) {
    if (trim(*line).empty()) continue;
    const Envelope envelope = envelope_of(*line);
    // Handled by this thread at once, because a cancellation needs no reply.
    if (!envelope.cancelled.empty()) {
      calls.cancel(envelope.cancelled);
    } else {
      calls.begin(std::move(*line), envelope);
    }
  }
  calls.finish();
}

}  // namespace fineprint::server
