// Embeds pictures of pages and elements while the next ones are drawn.
#include "ingest/page_vectors.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/progress.h"
#include "fineprint/core/threads.h"

#include "ingest/document_maps.h"
#include "ingest/page_feed.h"
#include "ingest/vector_sink.h"

namespace fineprint::ingest {

namespace {

// Pages per call, if the encoder takes several calls at a time. If not, it gets one page per call,
// so that interrupts are noticed and results kept after each page.
constexpr std::size_t kPagesACall = 4;

// Returns what a sparse set has of a page without vectors.
Matrix no_tokens() { return {0, store::kSparseColumns, {}}; }

// Progress of one document.
struct Tally {
  std::size_t wanted = 0, left = 0, failed = 0, made = 0;
  // The vectors of each unit, if the set takes whole documents.
  std::map<std::uint32_t, Matrix> units;
  int first_failed = 0;  // page number of the first failure
  std::optional<Error> problem;
  bool whole_file = false;
};

// Returns whether an error concerns the run and not a page, for example a failing model.
bool is_not_the_pages(const Error& error) {
  return error.code() != ErrorCode::input && error.code() != ErrorCode::too_large;
}

class PageVectors {
 public:
  PageVectors(PageFeed& feed, VectorSink& sink, std::vector<Tally> tallies,
              const store::VectorSet& set, RunEstimate& estimate)
      : feed_(feed),
        sink_(sink),
        estimate_(estimate),
        units_(std::string(store::unit_name(set.unit)) + "s"),
        by_documents_(store::is_sparse(set)),
        tallies_(std::move(tallies)),
        progress_("embedding", units_, 0,
                  [this] { return estimate_.after(Phase::pictures, left_); }) {
    for (const Tally& tally : tallies_) left_ += static_cast<long>(tally.left);
    progress_.add_total(left_);
  }

  // Embeds everything. Calls `load` only when the first picture is ready.
  void run(const std::function<std::unique_ptr<models::Encoder>()>& load) {
    // A store in which no page can be drawn never loads the model, which may take minutes.
    std::vector<FedPage> first = feed_.take(1);
    while (!first.empty() && !first.front().image) {
      embed(std::move(first));
      first = feed_.take(1);
    }
    if (!first.empty()) encoder_ = load();
    // The time of loading the model must not count in its speed.
    estimate_.begin(Phase::pictures);
    if (encoder_) embed_all(std::move(first));
    sink_.flush();
    progress_.finish();
  }

  void report_failures(const std::string& set, IngestReport* report) const {
    for (std::size_t i = 0; i < tallies_.size(); ++i) {
      const Tally& tally = tallies_[i];
      if (!tally.problem) continue;
      const std::string& doc = feed_.documents()[i].doc;
      report->failures.push_back({.file = doc,
                                  .path = feed_.documents()[i].path,
                                  .code = tally.problem->code(),
                                  .message = message_of(tally, doc, set),
                                  .kept = !tally.whole_file});
      report->files_gone = report->files_gone || tally.whole_file;
    }
  }

 private:
  std::string message_of(const Tally& tally, const std::string& doc, const std::string& set) const {
    const std::string_view why = tally.problem->what();
    if (tally.whole_file) {
      return fineprint::format("{}: {} of its {} lack vectors in the set \"{}\": {}", doc,
                               tally.failed, units_, set, why);
    }
    const std::string again = by_documents_ && tally.made > 0
                                  ? fineprint::format("--drop-set {} and a new run try again", set)
                                  : "the next run will try again";
    return fineprint::format("{} of {} {} of {} got no vectors in the set \"{}\"; {}; page {}: {}",
                             tally.failed, tally.wanted, units_, doc, set, again,
                             tally.first_failed, why);
  }

  void embed_all(std::vector<FedPage> first) {
    const int calls = std::max(1, encoder_->calls_at_a_time());
    const std::size_t most = calls > 1 ? kPagesACall : 1;
    try {
      embed(std::move(first));
      parallel_for(static_cast<std::size_t>(calls), calls, [&](std::size_t) {
        for (auto pages = feed_.take(most); !pages.empty(); pages = feed_.take(most)) {
          stop_feed_on_failure([&] { embed(std::move(pages)); });
        }
      });
    } catch (const Error&) {
      sink_.flush();
      throw;
    }
  }

  // Stops the feed on errors, so that the other threads do not go on to the end.
  template <class Body>
  void stop_feed_on_failure(const Body& body) {
    try {
      body();
    } catch (...) {
      feed_.stop();
      throw;
    }
  }

  void embed(std::vector<FedPage> pages) {
    throw_if_interrupted();
    std::vector<Image> images;
    std::vector<PageTask> tasks;
    for (FedPage& page : pages) {
      if (!page.image) {
        note_failure(page);
        continue;
      }
      images.push_back(std::move(*page.image));
      tasks.push_back(page.task);
    }
    if (!images.empty()) embed_images(images, tasks);
    sink_.flush_if_due();
  }

  void embed_images(std::span<const Image> images, std::span<const PageTask> tasks) {
    std::vector<Matrix> vectors;
    try {
      vectors = encoder_->embed_images(images);
    } catch (const Error& error) {
      if (is_not_the_pages(error)) throw;
      if (images.size() == 1)
        return note_failure({.task = tasks[0], .image = {}, .problem = error, .whole_file = false});
      // One of several pictures is bad. Single calls find out which.
      for (std::size_t i = 0; i < images.size(); ++i) {
        embed_images(images.subspan(i, 1), tasks.subspan(i, 1));
      }
      return;
    }
    if (vectors.size() != images.size()) {
      throw Error(ErrorCode::model,
                  fineprint::format("the model {} returned vectors of {} pictures instead of {}",
                                    encoder_->name(), vectors.size(), images.size()));
    }
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const store::DocumentRow& row = feed_.documents()[tasks[i].document];
      if (!by_documents_) sink_.add(row.id, tasks[i].unit, vectors[i]);
      end_page(tasks[i], std::move(vectors[i]));
    }
  }

  // A complete document is stored at once, so that a killed run repeats as little as possible.
  void end_page(const PageTask& task, std::optional<Matrix> vectors) {
    --left_;
    estimate_.advance(Phase::pictures, 1);
    progress_.advance();
    std::unique_lock lock(mutex_);
    Tally& tally = tallies_[task.document];
    tally.made += vectors ? 1 : 0;
    if (by_documents_) tally.units[task.unit] = std::move(vectors).value_or(no_tokens());
    if (--tally.left > 0) return;
    // Nothing of another document may come between.
    if (by_documents_) add_document(tally, feed_.documents()[task.document].id);
    if (!by_documents_) lock.unlock();
    sink_.flush();
  }

  // In the order of units, whichever call ended first. A page without vectors has no tokens: the
  // other pages would otherwise be read again by every run, and never be found.
  void add_document(Tally& tally, std::int64_t document) {
    const std::map<std::uint32_t, Matrix> units = std::exchange(tally.units, {});
    if (tally.made == 0 || tally.whole_file) return;
    for (const auto& [unit, vectors] : units) sink_.add(document, unit, vectors);
  }

  void note_failure(const FedPage& page) {
    if (page.problem) {
      const std::lock_guard lock(mutex_);
      Tally& tally = tallies_[page.task.document];
      ++tally.failed;
      tally.whole_file = page.whole_file;
      if (!tally.problem) {
        tally.problem = page.problem;
        tally.first_failed = page.task.page;
      }
    }
    end_page(page.task, std::nullopt);
  }

  PageFeed& feed_;
  VectorSink& sink_;
  RunEstimate& estimate_;
  const std::string units_;  // in messages: "pages"
  const bool by_documents_;  // the set takes the vectors of whole documents
  std::atomic<long> left_ = 0;
  std::unique_ptr<models::Encoder> encoder_;
  std::mutex mutex_;  // guards tallies_
  std::vector<Tally> tallies_;
  Progress progress_;
};

// Maps the units of a set to pictures of one document.
class PicturesOf {
 public:
  PicturesOf(const PlannedSet& planned, const store::Store& store, const store::DocumentRow& row) {
    over_elements_ = is_over_elements(planned);
    if (over_elements_) elements_ = mapped_elements(store, row.id);
  }

  PageTask task(std::size_t document, std::uint32_t unit) const {
    if (!over_elements_) return {document, static_cast<int>(unit) + 1, unit, std::nullopt};
    const docmap::MappedElement& element = elements_.at(unit);
    return {document, element.page, unit, docmap::cut_out_of(element)};
  }

 private:
  bool over_elements_ = false;
  std::vector<docmap::MappedElement> elements_;
};

// Returns what the set lacks, document by document.
FeedPlan feed_plan(const PlannedSet& planned, const IngestOptions& options,
                   const store::Store& store) {
  FeedPlan plan;
  plan.read = options.read;
  // As many threads as workers: each thread waits for one worker to draw.
  plan.threads =
      options.document_workers.workers > 0 ? options.document_workers.workers : usable_cores();
  const auto missing = store.missing_vectors(planned.set.name);
  for (store::DocumentRow& row : store.documents()) {
    const auto found = missing.find(row.id);
    if (found == missing.end()) continue;
    const PicturesOf pictures(planned, store, row);
    for (const store::UnitRange& range : found->second) {
      for (std::uint32_t i = 0; i < range.count; ++i) {
        plan.pages.push_back(pictures.task(plan.documents.size(), range.first + i));
      }
    }
    plan.documents.push_back(std::move(row));
  }
  return plan;
}

std::vector<Tally> tallies_of(const FeedPlan& plan) {
  std::vector<Tally> tallies(plan.documents.size());
  for (const PageTask& task : plan.pages) {
    ++tallies[task.document].wanted;
    ++tallies[task.document].left;
  }
  return tallies;
}

}  // namespace

void embed_pictures(PlannedSet& planned, const IngestOptions& options, const FindEncoder& find,
                    documents::DocumentWorkers& workers, store::Store& store, RunEstimate& estimate,
                    IngestReport* report) {
  FeedPlan plan = feed_plan(planned, options, store);
  std::int64_t& embedded = report->vectors[planned.set.name];
  if (plan.pages.empty()) return;
  plan.raster = encoder_of(planned, find).raster;
  std::vector<Tally> tallies = tallies_of(plan);
  VectorSink sink(store, planned.set);
  PageFeed feed(std::move(plan), workers, store);
  PageVectors work(feed, sink, std::move(tallies), planned.set, estimate);
  work.run([&] { return load_encoder(planned, find); });
  work.report_failures(planned.set.name, report);
  embedded = sink.stored();
}

}  // namespace fineprint::ingest
