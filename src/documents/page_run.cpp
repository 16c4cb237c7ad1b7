// Keeps all workers busy with one document. The loop runs in the caller's thread.
#include "documents/page_run.h"

#include <algorithm>
#include <utility>

#include <poll.h>

#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/core/threads.h"
#include "fineprint/documents/protocol.h"

namespace fineprint::documents {
namespace {

constexpr int kMaxBatch = 8;     // pages; a larger batch of scans would leave other workers idle
constexpr int kPagesAhead = 16;  // finished pages kept in memory, per worker
constexpr int kInterruptPoll = 200;  // milliseconds
// So many pages of a document may be lost, and one more for each kReadForOneLost pages that were
// read. After that the rest is given up, because each lost page may take the whole time limit.
constexpr int kMayBeLost = 8;
constexpr int kReadForOneLost = 16;

}  // namespace

PageRun::PageRun(WorkerLending& pool, const std::string& path, const ReadOptions& options,
                 int page_count, const std::function<void(Page)>& on_page)
    : pool_(pool), path_(path), options_(options), page_count_(page_count), on_page_(on_page) {}

PageRun::Clock::time_point PageRun::new_deadline() const {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(pool_.limits().wall_seconds));
}

std::optional<PageRun::Batch> PageRun::next_batch() {
  if (!leftovers_.empty()) {
    const Batch batch = leftovers_.front();
    leftovers_.pop_front();
    return batch;
  }
  const int left = page_count_ - next_unread_ + 1;
  if (left <= 0 || next_unread_ >= next_out_ + kPagesAhead * pool_.size()) return std::nullopt;
  // Batches shrink towards the end, so that the workers finish together.
  const int count = std::clamp(left / (pool_.size() * 4), 1, kMaxBatch);
  next_unread_ += count;
  return Batch{next_unread_ - count, count, false};
}

bool PageRun::start(Active& active) {
  const std::optional<Batch> batch = next_batch();
  if (!batch) return false;
  active.batch = *batch;
  active.deadline = new_deadline();
  active.may_draw = !not_drawn_;
  Task task = task_about(path_, options_);
  task.first_page = batch->first;
  task.page_count = batch->count;
  active.lease.set_done(false);
  // a failure shows later as the end of the stream
  active.lease->send(MessageType::read_pages, std::move(task));
  return true;
}

void PageRun::take_workers() {
  while (true) {
    // Stays close to the page to hand out next, because finished pages ahead of it take memory.
    const bool more =
        !leftovers_.empty() ||
        (next_unread_ <= page_count_ && next_unread_ < next_out_ + kPagesAhead * pool_.size());
    if (!more) return;
    std::unique_ptr<WorkerProcess> worker;
    try {
      // Waits only if this document has no worker at all. Otherwise other threads keep theirs.
      worker = active_.empty() ? pool_.take() : pool_.try_take();
    } catch (const Error& error) {
      if (active_.empty()) throw;
      log::debug("{}: goes on with fewer workers: {}", path_, error.what());
    }
    if (!worker) return;
    active_.push_back({.lease = Lease(pool_, std::move(worker)), .batch = {}, .deadline = {}});
    start(active_.back());
  }
}

void PageRun::lose(Active& active, bool ran_out) {
  const WorkerEnd end = active.lease->end(ran_out, pool_.limits());
  Batch& batch = active.batch;
  if (batch.count == 0) return;
  log::debug("{}, page {}: {}", path_, batch.first, end.reason);
  if (batch.count > 1) leftovers_.push_back({batch.first + 1, batch.count - 1, false});
  // Does not retry a page that ran out of time, because a second attempt would take as long.
  if (batch.again || active.draft || end.code == ErrorCode::timed_out) {
    finish_lost(active, end);
  } else {
    leftovers_.push_front({.first = batch.first, .count = 1, .again = true});
  }
  active.draft.reset();
  batch.count = 0;
  if (given_up_) give_up();
}

void PageRun::finish_lost(Active& active, const WorkerEnd& end) {
  const bool has_draft = active.draft.has_value();
  Page page;
  if (has_draft) {
    page = with_text_only(*std::move(active.draft), end.code, end.reason);
  } else {
    page.number = active.batch.first;
    page.problem = format("{}: {}", code_name(end.code), end.reason);
  }
  finished_.emplace(active.batch.first, std::move(page));
  // Decides whether the document has lost too many pages. If the lost page has a draft, only
  // drawing fails, so reading goes on without OCR.
  if (++lost_ < kMayBeLost + read_ / kReadForOneLost) return;
  if (has_draft) {
    not_drawn_ = end.code;
    options_.ocr = OcrMode::never;
  } else {
    given_up_ = end.code;
  }
}

std::string PageRun::not_drawn_reason() const {
  return format("not drawn, because {} other pages could not be", lost_);
}

// Marks all pages that no worker holds as not read.
void PageRun::give_up() {
  const auto mark_unread = [&](int first, int count) {
    for (int number = first; number < first + count; ++number) {
      Page page;
      page.number = number;
      page.problem = format("{}: not tried, because {} other pages could not be read",
                            code_name(*given_up_), lost_);
      finished_.emplace(number, std::move(page));
    }
  };
  for (const Batch& batch : leftovers_) mark_unread(batch.first, batch.count);
  leftovers_.clear();
  mark_unread(next_unread_, page_count_ - next_unread_ + 1);
  next_unread_ = page_count_ + 1;
}

// Returns false if the message is not an answer to the task. Such a worker must not be used again.
bool PageRun::take_message(Active& active, const Message& message) {
  if (active.batch.count == 0) return false;
  if (message.type == MessageType::error) {
    active.lease.set_done(true);
    throw believable(unpack_error(message.payload));
  }
  try {
    return take_page(active, message);
    // A message that cannot be unpacked is the worker's fault, not the document's.
  } catch (const Error&) {
    return false;
  }
}

bool PageRun::take_page(Active& active, const Message& message) {
  if (message.type != MessageType::page && message.type != MessageType::draft) return false;
  Batch& batch = active.batch;
  Page page = unpack_page(message.payload);
  if (page.number != batch.first) return false;
  if (message.type == MessageType::draft) {
    active.draft = std::move(page);  // a later draft is better
    return true;
  }
  active.draft.reset();
  if (not_drawn_ && !active.may_draw)
    // The worker got this batch before drawing was given up, so its pages lack the reason.
    page = with_text_only(std::move(page), *not_drawn_, not_drawn_reason());
  finished_.emplace(page.number, std::move(page));
  ++read_;
  ++batch.first;
  --batch.count;
  active.deadline = new_deadline();
  return true;
}

// Takes all messages that a worker has sent. A worker that has finished its batch gets the next
// one.
void PageRun::take_answers(Active& active) {
  bool alive = active.lease->receive();
  while (std::optional<Message> message = active.lease->next()) {
    if (take_message(active, *message)) continue;
    active.lease->distrust();
    alive = false;
    break;
  }
  alive = alive && active.lease->is_trusted();
  if (active.batch.count == 0) {
    active.lease.set_done(alive);
    // Another document may be waiting for a worker; it gets this one.
    if (alive && !pool_.wanted()) start(active);
  } else if (!alive) {
    lose(active, false);
  }
}

void PageRun::wait() {
  std::vector<pollfd> sockets;
  for (const Active& active : active_) sockets.push_back({active.lease->socket(), POLLIN, 0});
  auto until = Clock::now() + std::chrono::milliseconds(kInterruptPoll);
  for (const Active& active : active_) until = std::min(until, active.deadline);
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
  poll(sockets.data(), sockets.size(), static_cast<int>(std::max<long>(left, 0)));
  for (std::size_t i = 0; i < active_.size(); ++i) {
    if (sockets[i].revents != 0) take_answers(active_[i]);
    // Checked even if messages arrived, so that a worker that never stops sending is ended, too.
    if (active_[i].batch.count > 0 && Clock::now() >= active_[i].deadline) lose(active_[i], true);
  }
}

void PageRun::drop_idle() {
  std::erase_if(active_, [](const Active& active) { return active.batch.count == 0; });
}

void PageRun::deliver() {
  const auto start = Clock::now();
  for (auto next = finished_.find(next_out_); next != finished_.end();
       next = finished_.find(next_out_)) {
    Page page = std::move(next->second);
    finished_.erase(next);
    ++next_out_;
    on_page_(std::move(page));
    throw_if_interrupted();
  }
  // The time that the caller spent with the pages must not count against the workers.
  for (Active& active : active_) active.deadline += Clock::now() - start;
}

void PageRun::run() {
  while (next_out_ <= page_count_) {
    throw_if_interrupted();
    take_workers();
    wait();
    drop_idle();
    deliver();
  }
}

}  // namespace fineprint::documents
