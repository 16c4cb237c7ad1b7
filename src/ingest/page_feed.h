// Makes pictures of pages, and of parts of pages, in worker processes ahead of the encoder.
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
#include "fineprint/documents/document_workers.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/store/store.h"

namespace fineprint::ingest {

// A page of one of the feed's documents, or a part of it.
struct PageTask {
  std::size_t document = 0;
  int page = 0;                  // counted from 1
  std::uint32_t unit = 0;        // unit of the set that gets the vectors
  std::optional<Box> part = {};  // in points; nullopt for the whole page
};

// A page and its picture. If the page could not be read, it has neither picture nor problem,
// because the problem was reported when it was read.
struct FedPage {
  PageTask task;
  std::optional<Image> image;
  std::optional<Error> problem;  // why there is no picture
  bool whole_file = false;       // the problem concerns the whole file
};

// What a feed has to draw.
struct FeedPlan {
  models::PageRaster raster;
  documents::ReadOptions read;
  int threads = 1;
  std::vector<store::DocumentRow> documents;
  std::vector<PageTask> pages;  // in the order in which they are wanted
};

// Draws pages on several threads and hands them out in order. Thread-safe.
class PageFeed {
 public:
  // Starts to draw. Keeps at most threads + 4 pictures. `workers` and `store` must outlive the
  // feed.
  PageFeed(FeedPlan plan, documents::DocumentWorkers& workers, const store::Store& store);
  ~PageFeed();
  PageFeed(const PageFeed&) = delete;
  PageFeed& operator=(const PageFeed&) = delete;

  // Returns the next pages: at least one, and up to `most` of the ready ones. Returns none at
  // the end. Throws errors that end the run: interrupts and failures of the store.
  std::vector<FedPage> take(std::size_t most);
  // Stops drawing; `take` then returns nothing.
  void stop();

  const std::vector<store::DocumentRow>& documents() const { return plan_.documents; }

 private:
  void work();
  std::optional<std::size_t> claim();
  FedPage make(const PageTask& task);
  std::optional<Image> picture(const PageTask& task);
  std::optional<Error> file_problem(std::size_t document);

  const FeedPlan plan_;
  documents::DocumentWorkers& workers_;
  const store::Store& store_;

  std::mutex mutex_;  // guards the members up to failure_
  std::condition_variable changed_;
  std::size_t next_made_ = 0, next_taken_ = 0;
  std::map<std::size_t, FedPage> ready_;  // by index in plan_.pages
  bool stopped_ = false;
  std::exception_ptr failure_;

  std::mutex files_mutex_;  // guards files_; each file is checked once
  std::map<std::size_t, std::optional<Error>> files_;

  std::vector<std::thread> threads_;
};

}  // namespace fineprint::ingest
