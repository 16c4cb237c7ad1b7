// Implements DocumentWorkers.
#include "fineprint/documents/document_workers.h"

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include <poll.h>

#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/core/threads.h"

#include "documents/office_files.h"
#include "documents/page_run.h"
#include "documents/worker_lending.h"

namespace fineprint::documents {
namespace {

using Clock = std::chrono::steady_clock;

// Returns the worker's answer. Returns nullopt if there is none; `ran_out` is true if the time was
// up, and false if the worker died.
std::optional<Message> await(WorkerProcess& worker, double seconds, bool& ran_out) {
  const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
  while (true) {
    throw_if_interrupted();
    if (std::optional<Message> message = worker.next()) return message;
    ran_out = worker.is_trusted() && Clock::now() >= deadline;
    if (ran_out || !worker.is_trusted()) return std::nullopt;
    pollfd socket{worker.socket(), POLLIN, 0};
    poll(&socket, 1, 100);  // short, to notice interrupts and the deadline
    if (socket.revents != 0 && !worker.receive()) return worker.next();
  }
}

// One question to a worker.
struct Inquiry {
  // Sends the question.
  std::function<void(WorkerProcess&)> send;
  MessageType expected = MessageType::info;
  std::string about;  // name of the subject in messages
};

// Uses the payload of an answer while its worker is still lent.
using Take = std::function<void(WorkerProcess&, const std::string&)>;

// Asks one question. If the worker dies over it, asks once more with a new worker. Throws Error
// with the worker's error, or with the reason of its end.
void ask(WorkerLending& pool, const Inquiry& inquiry, const Take& take) {
  WorkerEnd end;
  for (int attempt = 0; attempt < 2; ++attempt) {
    Lease lease(pool, pool.take());
    lease.set_done(false);
    inquiry.send(*lease.operator->());
    bool ran_out = false;
    std::optional<Message> message =
        await(*lease.operator->(), pool.limits().wall_seconds, ran_out);
    if (!message) {
      end = lease->end(ran_out, pool.limits());
      if (end.code == ErrorCode::timed_out) break;  // a second attempt would take as long
      continue;
    }
    if (message->type == inquiry.expected) {
      take(*lease.operator->(), message->payload);
      return lease.set_done(true);
    }
    lease.set_done(true);
    if (message->type == MessageType::error) throw believable(unpack_error(message->payload));
    throw Error(ErrorCode::internal,
                format("{}: a document worker sent an answer that does not fit the question",
                       inquiry.about));
  }
  throw Error(end.code, format("{}: {}", inquiry.about, end.reason));
}

}  // namespace

struct DocumentWorkers::State {
  explicit State(const DocumentWorkerOptions& options)
      : pool(options), office(options.office, pool.command(), pool.limits()) {}

  DocumentInfo info_of(const std::string& file, const ReadOptions& options);
  DocumentInfo info_of_pdf(const std::string& path, const ReadOptions& options);
  DocumentInfo info_of_running_text(const std::string& path, const ReadOptions& options,
                                    const Error& failure);

  WorkerLending pool;
  OfficeFiles office;
  std::once_flag said;  // whether the note on running text was logged
};

namespace {

// Replaces the path of the PDF by that of the document, because users know only the document.
std::string about_document(std::string message, const std::string& pdf, const std::string& path) {
  for (std::size_t at = 0; (at = message.find(pdf, at)) != std::string::npos; at += path.size()) {
    message.replace(at, pdf.size(), path);
  }
  return message;
}

// Calls `use` with the PDF that workers open instead of the office file `path`. Errors name `path`.
template <class Use>
auto with_pdf(OfficeFiles& office, const std::string& path, const Use& use) {
  const std::string pdf = office.pdf_of(path);
  try {
    return use(pdf);
  } catch (const Error& error) {
    throw Error(error.code(), about_document(error.what(), pdf, path));
  }
}

}  // namespace

DocumentInfo DocumentWorkers::State::info_of(const std::string& file, const ReadOptions& options) {
  DocumentInfo info;
  ask(pool,
      {.send =
           [&](WorkerProcess& worker) {
             worker.send(MessageType::read_info, task_about(file, options));
           },
       .expected = MessageType::info,
       .about = file},
      [&](WorkerProcess&, const std::string& payload) { info = unpack_info(payload); });
  return info;
}

DocumentInfo DocumentWorkers::State::info_of_pdf(const std::string& path,
                                                 const ReadOptions& options) {
  return with_pdf(office, path, [&](const std::string& pdf) { return info_of(pdf, options); });
}

// Returns the facts of the running text of an office file. `failure` is the reason why it has no
// PDF.
DocumentInfo DocumentWorkers::State::info_of_running_text(const std::string& path,
                                                          const ReadOptions& options,
                                                          const Error& failure) {
  DocumentInfo info;
  try {
    info = info_of(path, options);
  } catch (const Error& error) {
    // If nothing else reads the format, LibreOffice's error says more.
    throw error.code() == ErrorCode::unsupported ? failure : error;
  }
  if (!info.reflowable) throw failure;  // an archive of pictures has no text of its own
  if (office.can_convert()) {
    log::warn("{}; reading it as running text (reflowed)", failure.what());
  } else {
    std::call_once(said, [&] {
      log::warn(
          "{}: reading this and all other office files as running text (reflowed); for pages as "
          "printed, install LibreOffice",
          path);
    });
  }
  return info;
}

DocumentWorkers::DocumentWorkers(const DocumentWorkerOptions& options)
    : state_(std::make_unique<State>(options)) {}
DocumentWorkers::~DocumentWorkers() = default;

DocumentInfo DocumentWorkers::info(const std::string& path, const ReadOptions& options) {
  if (options.reflow || !is_office_file(path)) return state_->info_of(path, options);
  try {
    return state_->info_of_pdf(path, options);
  } catch (const Error& error) {
    // These two say nothing about the document, so reading it in another way would not help.
    if (error.code() == ErrorCode::interrupted || error.code() == ErrorCode::internal) throw;
    return state_->info_of_running_text(path, options, error);
  }
}

void DocumentWorkers::read_pages(const std::string& path, const DocumentInfo& info,
                                 const ReadOptions& options,
                                 const std::function<void(Page)>& on_page) {
  if (info.reflowable || options.reflow || !is_office_file(path)) {
    return PageRun(state_->pool, path, options, info.page_count, on_page).run();
  }
  with_pdf(state_->office, path, [&](const std::string& pdf) {
    PageRun(state_->pool, pdf, options, info.page_count, [&](Page page) {
      page.problem = about_document(std::move(page.problem), pdf, path);
      on_page(std::move(page));
    }).run();
  });
}

Image DocumentWorkers::raster(const std::string& path, int page, double dpi, bool grey,
                              const ReadOptions& options) {
  const auto draw = [&](const std::string& file) {
    Task task = task_about(file, options);
    task.first_page = page;
    task.dpi = dpi;
    task.grey = grey;
    Image picture;
    const auto ask_for = [&](WorkerProcess& worker) {
      task.place = worker.pictures().free_place();
      worker.send(MessageType::read_raster, task);
    };
    ask(state_->pool, {.send = ask_for, .expected = MessageType::raster, .about = file},
        [&](WorkerProcess& worker, const std::string& payload) {
          picture = worker.pictures().take(task.place, unpack_picture_size(payload));
        });
    return picture;
  };
  if (options.reflow || !is_office_file(path)) return draw(path);
  return with_pdf(state_->office, path, draw);
}

Isolation DocumentWorkers::isolation() {
  Isolation isolation;
  ask(state_->pool,
      {.send =
           [](WorkerProcess& worker) {
             worker.send(MessageType::read_isolation, std::string_view());
           },
       .expected = MessageType::isolation,
       .about = "document worker"},
      [&](WorkerProcess&, const std::string& payload) { isolation = unpack_isolation(payload); });
  return isolation;
}

}  // namespace fineprint::documents
