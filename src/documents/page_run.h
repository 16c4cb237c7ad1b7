// Reads all pages of one document with the workers of a pool and hands them out in order.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/document.h"

#include "documents/worker_lending.h"

namespace fineprint::documents {

// One document being read. Used by one thread, for one call of `run`.
class PageRun {
 public:
  PageRun(WorkerLending& pool, const std::string& path, const ReadOptions& options, int page_count,
          const std::function<void(Page)>& on_page);

  // Returns when all pages have been handed out. Throws Error if the document fails as a whole.
  void run();

 private:
  using Clock = std::chrono::steady_clock;

  // Pages that one worker reads one after the other. `again` is true if the first attempt failed.
  struct Batch {
    int first = 0;
    int count = 0;
    bool again = false;
  };
  // A worker and the unread part of its batch.
  struct Active {
    Lease lease;
    Batch batch;
    Clock::time_point deadline;
    std::optional<Page> draft = std::nullopt;  // of the first page of the batch
    bool may_draw = true;
  };

  std::optional<Batch> next_batch();
  void take_workers();
  bool start(Active& active);
  void wait();
  void take_answers(Active& active);
  bool take_message(Active& active, const Message& message);
  bool take_page(Active& active, const Message& message);
  void lose(Active& active, bool ran_out);
  void finish_lost(Active& active, const WorkerEnd& end);
  void give_up();
  std::string not_drawn_reason() const;
  void drop_idle();
  void deliver();
  Clock::time_point new_deadline() const;

  WorkerLending& pool_;
  const std::string& path_;
  ReadOptions options_;
  const int page_count_;
  const std::function<void(Page)>& on_page_;
  int next_unread_ = 1;          // first page that no batch has held yet
  int next_out_ = 1;             // next page to hand out
  std::deque<Batch> leftovers_;  // batches of workers that died
  int read_ = 0, lost_ = 0;
  std::optional<ErrorCode> given_up_;  // the error of the last lost page, if too many were lost
  // the same for pages with a draft: pages are no longer drawn
  std::optional<ErrorCode> not_drawn_;
  std::map<int, Page> finished_;
  std::vector<Active> active_;
};

}  // namespace fineprint::documents
