// Pictures of pages, and of parts of them, made in worker processes ahead of whoever looks at them.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/geometry.h"
#include "fineprint/core/image.h"
#include "fineprint/documents/reader.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/store/store.h"

namespace fineprint::ingest {

// A page of one of the feed's documents, or a part of it.
struct PageTask {
  std::size_t document = 0;
  int page = 0;                  // from 1
  std::uint32_t unit = 0;        // of the set that its vectors go to
  std::optional<Box> part = {};  // points
};

// A page that could not be read has neither picture nor problem: that was told when it was read.
struct FedPage {
  PageTask task;
  std::optional<Image> image;
  std::optional<Error> problem;  // why there is no picture
  bool whole_file = false;       // the problem is the file's, not the page's
};

struct FeedPlan {
  models::PageRaster raster;
  documents::ReadOptions read;
  int threads = 1;
  std::vector<store::DocumentRow> documents;
  std::vector<PageTask> pages;  // in the order that they are wanted in
};

class PageFeed {
 public:
  // Keeps at most threads + 4 pictures. `reader` and `store` must outlive it.
  PageFeed(FeedPlan plan, documents::Reader& reader, const store::Store& store);
  ~PageFeed();
  PageFeed(const PageFeed&) = delete;
  PageFeed& operator=(const PageFeed&) = delete;

  // The next pages, at least one and at most `most` of those that are ready; none at the end. Safe
  // from several threads. Throws what ends the run: interrupts, failures of the store.
  std::vector<FedPage> take(std::size_t most);
  // Nothing more is made; `take` returns none.
  void stop();

  const std::vector<store::DocumentRow>& documents() const { return plan_.documents; }

 private:
  void work();
  std::optional<std::size_t> claim();
  FedPage make(const PageTask& task);
  std::optional<Image> picture(const PageTask& task);
  std::optional<Error> file_problem(std::size_t document);

  const FeedPlan plan_;
  documents::Reader& reader_;
  const store::Store& store_;

  std::mutex mutex_;  // guards all below
  std::condition_variable changed_;
  std::size_t next_made_ = 0, next_taken_ = 0;
  std::map<std::size_t, FedPage> ready_;  // by place in plan_.pages
  bool stopped_ = false;
  std::exception_ptr failure_;

  std::mutex files_mutex_;  // guards the next; a file is looked at once
  std::map<std::size_t, std::optional<Error>> files_;

  std::vector<std::thread> threads_;
};

}  // namespace fineprint::ingest
