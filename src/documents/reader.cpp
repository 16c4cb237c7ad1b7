// The pool of workers behind plain calls.
#include "fineprint/documents/reader.h"

#include <chrono>
#include <functional>
#include <optional>

#include <poll.h>

#include "fineprint/core/format.h"
#include "fineprint/core/threads.h"

#include "documents/page_run.h"
#include "documents/worker_pool.h"

namespace fineprint::documents {
namespace {

using Clock = std::chrono::steady_clock;

// The worker's one answer, or nullopt with `ran_out` set or not when it died first.
std::optional<Message> await(WorkerProcess& worker, double seconds, bool& ran_out) {
  const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
  while (true) {
    throw_if_interrupted();
    if (std::optional<Message> message = worker.next()) return message;
    ran_out = worker.is_trusted() && Clock::now() >= deadline;
    if (ran_out || !worker.is_trusted()) return std::nullopt;
    pollfd socket{worker.socket(), POLLIN, 0};
    poll(&socket, 1, 100);  // short: interrupts and the deadline are looked at in between
    if (socket.revents != 0 && !worker.receive()) return worker.next();
  }
}

struct Inquiry {
  MessageType type = MessageType::read_info;
  std::function<std::string(WorkerProcess&)> payload;
  MessageType expected = MessageType::info;
  std::string about;  // names in messages what is asked about
};

// What an answer's payload becomes, while its worker is still lent.
using Take = std::function<void(WorkerProcess&, const std::string&)>;

// Asks one question; a worker that dies over it is replaced and the question asked once more.
void ask(WorkerPool& pool, const Inquiry& inquiry, const Take& take) {
  WorkerEnd end;
  for (int attempt = 0; attempt < 2; ++attempt) {
    Lease lease(pool, pool.take());
    lease.set_done(false);
    lease->send(inquiry.type, inquiry.payload(*lease.operator->()));
    bool ran_out = false;
    std::optional<Message> message =
        await(*lease.operator->(), pool.limits().wall_seconds, ran_out);
    if (!message) {
      end = lease->end(ran_out, pool.limits());
      continue;
    }
    if (message->type == inquiry.expected) {
      take(*lease.operator->(), message->payload);
      return lease.set_done(true);
    }
    lease.set_done(true);
    if (message->type == MessageType::error) throw unpack_error(message->payload);
    throw Error(ErrorCode::internal, format("{}: a worker answered out of turn", inquiry.about));
  }
  throw Error(end.code, format("{}: {}", inquiry.about, end.reason));
}

}  // namespace

struct Reader::State {
  explicit State(const ReaderOptions& options) : pool(options) {}
  WorkerPool pool;
};

Reader::Reader(const ReaderOptions& options) : state_(std::make_unique<State>(options)) {}
Reader::~Reader() = default;

DocumentInfo Reader::info(const std::string& path, const ReadOptions& options) {
  DocumentInfo info;
  ask(state_->pool,
      {MessageType::read_info, [&](WorkerProcess&) { return pack(task_about(path, options)); },
       MessageType::info, path},
      [&](WorkerProcess&, const std::string& payload) { info = unpack_info(payload); });
  return info;
}

void Reader::read_pages(const std::string& path, const DocumentInfo& info,
                        const ReadOptions& options, const std::function<void(Page)>& on_page) {
  PageRun(state_->pool, path, options, info.page_count, on_page).run();
}

Image Reader::raster(const std::string& path, int page, double dpi, bool grey,
                     const ReadOptions& options) {
  Task task = task_about(path, options);
  task.first_page = page;
  task.dpi = dpi;
  task.grey = grey;
  Image picture;
  const auto ask_for = [&](WorkerProcess& worker) {
    task.place = worker.pictures().free_place();
    return pack(task);
  };
  ask(state_->pool, {MessageType::read_raster, ask_for, MessageType::raster, path},
      [&](WorkerProcess& worker, const std::string& payload) {
        picture = worker.pictures().take(task.place, unpack_picture_size(payload));
      });
  return picture;
}

Isolation Reader::isolation() {
  Isolation isolation;
  ask(state_->pool,
      {MessageType::read_isolation, [](WorkerProcess&) { return std::string(); },
       MessageType::isolation, "document worker"},
      [&](WorkerProcess&, const std::string& payload) { isolation = unpack_isolation(payload); });
  return isolation;
}

}  // namespace fineprint::documents
