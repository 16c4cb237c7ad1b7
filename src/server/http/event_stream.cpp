// A queue between the thread that makes events and the one that sends them.
#include "server/http/event_stream.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace fineprint::server {
namespace {

// A comment is sent after this long without an event, because proxies may close idle connections.
constexpr auto kSilent = std::chrono::seconds(10);
constexpr std::string_view kComment = ": still at it\n\n";

class EventQueue {
 public:
  void add(std::string_view text) {
    const std::lock_guard guard(mutex_);
    waiting_ += text;
    changed_.notify_one();
  }
  void close() {
    const std::lock_guard guard(mutex_);
    is_closed_ = true;
    changed_.notify_one();
  }
  // Gets all waiting text, or a comment if nothing came for a while. Returns false at the end.
  bool next(std::string* text) {
    std::unique_lock lock(mutex_);
    const bool came =
        changed_.wait_for(lock, kSilent, [this] { return is_closed_ || !waiting_.empty(); });
    *text = came ? std::exchange(waiting_, {}) : std::string(kComment);
    return !text->empty();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string waiting_;
  bool is_closed_ = false;
};

}  // namespace

std::string event_text(std::string_view name, std::string_view data) {
  std::string text;
  if (!name.empty()) (text += "event: ").append(name) += '\n';
  (text += "data: ").append(data) += "\n\n";
  return text;
}

HttpReply event_stream(const StopToken& stop,
                       std::function<void(const SendEvent&, const StopToken&)> work) {
  HttpReply reply{.type = "text/event-stream"};
  // Otherwise nginx would hold events back until it has a buffer full of them.
  reply.headers = {{"X-Accel-Buffering", "no"}};
  reply.stream = [stop, work = std::move(work)](const HttpWrite& write) {
    EventQueue queue;
    const StopSource gone(stop);
    std::thread worker([&] {
      work([&](std::string_view name, std::string_view data) { queue.add(event_text(name, data)); },
           gone.token());
      queue.close();
    });
    // The client's end is noticed only when writing fails; the work is then asked to stop, and its
    // last events are dropped.
    for (std::string text; queue.next(&text);) {
      if (!write(text)) gone.request_stop();
    }
    worker.join();
  };
  return reply;
}

}  // namespace fineprint::server
