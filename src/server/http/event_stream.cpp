// A queue between the thread that makes events and the one that sends them.
#include "server/http/event_stream.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace fineprint::server {
namespace {

constexpr auto kSilent = std::chrono::seconds(10);

class EventQueue {
 public:
  explicit EventQueue(const std::string& filler) : filler_(filler) {}
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
  // Gets all waiting text, or the filler if nothing came for a while. Returns false at the end.
  bool next(std::string* text) {
    std::unique_lock lock(mutex_);
    const bool came =
        changed_.wait_for(lock, kSilent, [this] { return is_closed_ || !waiting_.empty(); });
    *text = came ? std::exchange(waiting_, {}) : filler_;
    return !text->empty();
  }

 private:
  const std::string& filler_;
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
                       std::function<void(const SendEvent&, const StopToken&)> work,
                       const StreamForm& form) {
  HttpReply reply{.type = form.lines ? "application/x-ndjson" : "text/event-stream"};
  // Otherwise nginx would hold events back until it has a buffer full of them.
  reply.headers = {{"X-Accel-Buffering", "no"}};
  reply.stream = [stop, form, work = std::move(work)](const HttpWrite& write) {
    EventQueue queue(form.filler);
    const StopSource gone(stop);
    std::thread worker([&] {
      const auto send = [&](std::string_view name, std::string_view data) {
        queue.add(form.lines ? std::string(data) + '\n' : event_text(name, data));
      };
      work(send, gone.token());
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
