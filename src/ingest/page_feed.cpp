// Draws pages ahead of the encoder.
#include "ingest/page_feed.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "fineprint/core/threads.h"
#include "fineprint/image/crop.h"
#include "fineprint/models/retriever.h"
#include "fineprint/session/source_file.h"

namespace fineprint::ingest {

namespace {

// Pages are handed out in order although they are made out of order, because the sink joins
// neighbours into one part. The window stops threads from running far ahead of a slow page, whose
// followers would fill the memory. It is large enough for the batch in the encoder and the next
// one.
constexpr std::size_t kPagesAhead = 4;

constexpr double kPointsPerInch = 72;

}  // namespace

PageFeed::PageFeed(FeedPlan plan, documents::DocumentWorkers& workers, const store::Store& store)
    : plan_(std::move(plan)), workers_(workers), store_(store) {
  for (int i = 0; i < plan_.threads; ++i) {
    try {
      threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      // Without any thread, nobody would make pages.
      if (threads_.empty()) throw;
      break;  // the system provides no more threads; fewer are enough
    }
  }
}

PageFeed::~PageFeed() {
  stop();
  for (std::thread& thread : threads_) thread.join();
}

void PageFeed::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

std::vector<FedPage> PageFeed::take(std::size_t most) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    return failure_ || stopped_ || next_taken_ == plan_.pages.size() ||
           ready_.contains(next_taken_);
  });
  // The error of a thread is thrown in the caller's, because it ends the run.
  if (failure_) std::rethrow_exception(failure_);
  std::vector<FedPage> out;
  while (!stopped_ && out.size() < most) {
    const auto found = ready_.find(next_taken_);
    if (found == ready_.end()) break;
    out.push_back(std::move(found->second));
    ready_.erase(found);
    ++next_taken_;
  }
  changed_.notify_all();
  return out;
}

void PageFeed::work() {
  try {
    while (const std::optional<std::size_t> place = claim()) {
      FedPage page = make(plan_.pages[*place]);
      const std::lock_guard lock(mutex_);
      ready_.emplace(*place, std::move(page));
      changed_.notify_all();
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    // Only the first failure is kept; the others often follow from it.
    if (!failure_) failure_ = std::current_exception();
    stopped_ = true;
    changed_.notify_all();
  }
}

std::optional<std::size_t> PageFeed::claim() {
  const std::size_t window = static_cast<std::size_t>(plan_.threads) + kPagesAhead;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    return stopped_ || next_made_ == plan_.pages.size() || next_made_ < next_taken_ + window;
  });
  if (stopped_ || next_made_ == plan_.pages.size()) return std::nullopt;
  return next_made_++;
}

FedPage PageFeed::make(const PageTask& task) {
  throw_if_interrupted();
  FedPage out{
      .task = task, .image = {}, .problem = file_problem(task.document), .whole_file = true};
  if (out.problem) return out;
  out.whole_file = false;
  try {
    out.image = picture(task);
  } catch (const Error& error) {
    // Other errors concern only this page and must not end the run.
    if (error.code() == ErrorCode::interrupted || error.code() == ErrorCode::store) throw;
    out.problem = error;
  }
  return out;
}

std::optional<Image> PageFeed::picture(const PageTask& task) {
  const store::DocumentRow& row = plan_.documents[task.document];
  const Page page = store_.page(row.id, task.page);
  if (!page.problem.empty() && page.width_pt <= 0) return std::nullopt;
  const double dpi = models::dpi_for(plan_.raster, page.width_pt, page.height_pt);
  documents::ReadOptions as_indexed = plan_.read;
  // A file of running text must be laid out as it was when it was indexed, or the pages would
  // differ.
  as_indexed.reflow = row.reflowable;
  Image whole = workers_.raster(row.path, task.page, dpi, false, as_indexed);
  if (!task.part) return models::shown_to(plan_.raster, std::move(whole));
  const Box part = intersected(*task.part, {0, 0, page.width_pt, page.height_pt});
  if (part.empty()) {
    throw Error(ErrorCode::input, "an element of its map is not on the page");
  }
  return models::shown_to(plan_.raster, image::crop(whole, part, dpi / kPointsPerInch));
}

std::optional<Error> PageFeed::file_problem(std::size_t document) {
  const std::lock_guard lock(files_mutex_);
  // Each file is checked once for all its pages, because a check may read the complete file.
  auto [seen, is_new] = files_.try_emplace(document);
  if (is_new) {
    try {
      session::check_unchanged(plan_.documents[document]);
    } catch (const Error& error) {
      seen->second = error;
    }
  }
  return seen->second;
}

}  // namespace fineprint::ingest
