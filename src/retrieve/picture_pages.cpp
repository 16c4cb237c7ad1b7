// Compares a question's pictures with drawn pages, batch by batch.
#include "fineprint/retrieve/picture_pages.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/threads.h"
#include "fineprint/image/clean.h"
#include "fineprint/image/landmarks.h"

#include "retrieve/scorers.h"

namespace fineprint::retrieve {
namespace {

constexpr double kPointsInInch = 72;
// A page is drawn with about this many pixels, a letter page at 72 dpi: landmarks of the size of
// words and of parts of figures are seen well, and a page takes a quarter of a second.
constexpr double kPagePixels = 480'000;
// The longer side of a picture is brought between these, in pixels.
constexpr int kLeastSide = 300, kMostSide = 800;
constexpr std::size_t kPageLandmarks = 4000, kPictureLandmarks = 1500;
// With so many agreeing landmarks no other page needs to be looked at. Pages that share a logo or a
// head with the picture's page had up to 21.
constexpr std::size_t kSurelyAgreeing = 40;
// Half of the score: see score_of().
constexpr double kHalfSure = 10;
constexpr std::size_t kFirstBatch = 8;

double score_of(std::size_t agreeing) {
  const auto count = static_cast<double>(agreeing);
  return count / (count + kHalfSure);
}

image::Landmarks landmarks_of(const Image& picture) {
  const int longer = std::max(picture.width, picture.height);
  const int wanted = std::clamp(longer, kLeastSide, kMostSide);
  if (wanted == longer) return {picture, kPictureLandmarks};
  const double scale = static_cast<double>(wanted) / longer;
  const auto side = [&](int pixels) {
    return std::max(1, static_cast<int>(std::lround(pixels * scale)));
  };
  return {image::resize(picture, side(picture.width), side(picture.height)), kPictureLandmarks};
}

// Returns the box around the corners on the page, in points.
Box box_of(const image::Tilted& corners, const session::PageRaster& page) {
  Box box{page.width_pt, page.height_pt, 0, 0};
  for (const image::Spot& corner : corners) {
    const auto x = static_cast<float>(corner.x / page.pixels_a_point);
    const auto y = static_cast<float>(corner.y / page.pixels_a_point);
    box = {std::min(box.x0, x), std::min(box.y0, y), std::max(box.x1, x), std::max(box.y1, y)};
  }
  return intersected(box, {0, 0, page.width_pt, page.height_pt});
}

// A page that shows a picture.
struct Seen {
  PageId page;
  std::size_t agreeing = 0;
  Box box;
};

// Returns the pages in the order in which they are worth looking at.
std::vector<PageId> pages_to_compare(session::Context& context, const std::string& question,
                                     const SearchOptions& options) {
  const session::Corpus& corpus = context.session.corpus();
  SearchOptions wide;
  wide.scorers = {"bm25"};
  wide.pool = options.pool ? *options.pool : corpus.pool(options.docs);
  wide.k = options.picture_pages;
  std::vector<PageId> pages = page_numbers(search(context, question, wide));
  const std::set<PageId> ranked(pages.begin(), pages.end());
  const auto most = static_cast<std::size_t>(options.picture_pages);
  for (const DocumentId document : *wide.pool) {
    const int count = corpus.documents()[document.value].row.page_count;
    for (int number = 1; number <= count && pages.size() < most; ++number) {
      const PageId page = corpus.page_number(document, number);
      if (!ranked.contains(page)) pages.push_back(page);
    }
  }
  return pages;
}

std::size_t pages_in_pool(const session::Context& context, const SearchOptions& options) {
  const session::Corpus& corpus = context.session.corpus();
  std::size_t pages = 0;
  for (const DocumentId document : options.pool ? *options.pool : corpus.pool(options.docs)) {
    pages += static_cast<std::size_t>(corpus.documents()[document.value].row.page_count);
  }
  return pages;
}

// Compares all pictures of a question with pages.
class Comparing {
 public:
  explicit Comparing(session::Context& context)
      : context_(context), seen_(context.pictures.size()) {
    for (const QuestionPicture& picture : context.pictures) {
      landmarks_.push_back(landmarks_of(picture.image));
    }
  }

  void run(const std::vector<PageId>& pages) {
    std::size_t batch = kFirstBatch;
    for (std::size_t first = 0; first < pages.size() && !is_over(); batch *= 2) {
      const std::size_t count = std::min(batch, pages.size() - first);
      parallel_for(count, session::ScanThreads(context_.session.models()).count(),
                   [&](std::size_t i) { compare(pages[first + i]); });
      first += count;
    }
  }

  void report(std::size_t pages_of_pool) {
    for (std::size_t i = 0; i < seen_.size(); ++i) report(i, pages_of_pool);
  }

 private:
  bool is_over() const {
    if (context_.stop_token.stop_requested()) return true;
    return std::ranges::all_of(seen_, [](const std::vector<Seen>& seen) {
      return std::ranges::any_of(seen,
                                 [](const Seen& one) { return one.agreeing >= kSurelyAgreeing; });
    });
  }

  void compare(PageId page) {
    if (context_.stop_token.stop_requested()) return;
    try {
      const session::PageRaster raster = draw(page);
      const image::Landmarks of_page(raster.picture, kPageLandmarks);
      for (std::size_t i = 0; i < landmarks_.size(); ++i) {
        const std::optional<image::FoundPart> found = image::find_part(landmarks_[i], of_page);
        if (!found) continue;
        const std::lock_guard lock(mutex_);
        seen_[i].push_back({page, found->agreeing, box_of(found->corners, raster)});
      }
      ++compared_;
    } catch (const Error& error) {
      if (error.code() == ErrorCode::interrupted) throw;
      const std::lock_guard lock(mutex_);
      if (undrawn_++ == 0) problem_ = error.what();
    }
  }

  session::PageRaster draw(PageId page) const {
    const Page facts = context_.session.corpus().page(page);
    const double points = static_cast<double>(facts.width_pt) * facts.height_pt;
    const double dpi = points > 0 ? kPointsInInch * std::sqrt(kPagePixels / points) : kPointsInInch;
    return context_.session.images().raster(page, dpi);
  }

  void report(std::size_t number, std::size_t pages_of_pool) {
    PictureRecord& record = context_.pictures[number].record;
    std::vector<Seen>& seen = seen_[number];
    // Of equal pages the first in the store comes first, whichever thread was quicker.
    std::ranges::sort(seen, [](const Seen& a, const Seen& b) {
      return a.agreeing != b.agreeing ? a.agreeing > b.agreeing : a.page < b.page;
    });
    record.note_use("pages");
    record.compared_pages = compared_;
    for (std::size_t i = 0; i < std::min(seen.size(), kMostShownOn); ++i) {
      record.found.push_back({.page = context_.session.corpus().ref(seen[i].page),
                              .box = seen[i].box,
                              .score = score_of(seen[i].agreeing)});
    }
    if (undrawn_ > 0) {
      record.note(format("not compared with it, because they cannot be drawn: {} {} ({})", undrawn_,
                         undrawn_ == 1 ? "page" : "pages", problem_));
    }
    const std::size_t tried = static_cast<std::size_t>(compared_) + undrawn_;
    if (seen.empty() && tried < pages_of_pool) {
      record.note(format("it was looked for on {} of {} pages; --image-pages N looks at more",
                         compared_.load(), pages_of_pool));
    }
    tell(record);
  }

  void tell(const PictureRecord& record) const {
    Json found = Json::array();
    std::string line = format("{}: no page shows it ({} compared)", record.name, compared_.load());
    for (const ShownOn& shown : record.found) {
      found.push_back({{"doc", shown.page.doc}, {"page", shown.page.page}, {"score", shown.score}});
    }
    if (!record.found.empty()) {
      const ShownOn& best = record.found.front();
      line = format("{} is shown on {}:{} ({:.2f}; {} pages compared)", record.name, best.page.doc,
                    best.page.page, best.score, compared_.load());
    }
    context_.events.tell({.step = "picture_pages",
                          .fields = dump_json({{"picture", record.name},
                                               {"compared", compared_.load()},
                                               {"found", std::move(found)}}),
                          .line = line});
  }

  session::Context& context_;
  std::vector<image::Landmarks> landmarks_;  // of each picture
  std::atomic<std::int64_t> compared_ = 0;
  std::mutex mutex_;                     // guards the rest while threads compare
  std::vector<std::vector<Seen>> seen_;  // of each picture
  std::size_t undrawn_ = 0;
  std::string problem_;  // of the first page that could not be drawn
};

}  // namespace

void find_picture_pages(session::Context& context, const std::string& question,
                        const SearchOptions& options) {
  if (context.pictures.empty() || options.gold_pages || options.picture_pages == 0) return;
  if (context.session.corpus().page_count() == 0) return;
  Comparing comparing(context);
  comparing.run(pages_to_compare(context, question, options));
  comparing.report(pages_in_pool(context, options));
}

}  // namespace fineprint::retrieve
