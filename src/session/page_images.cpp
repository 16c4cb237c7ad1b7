// Pictures of pages at the tiers. Each is drawn by one thread at a time and kept for a while.
#include "fineprint/session/page_images.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <future>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/image/clean.h"
#include "fineprint/image/crop.h"
#include "fineprint/models/retriever.h"
#include "fineprint/serving/prefix_cache.h"
#include "fineprint/session/source_file.h"

namespace fineprint::session {
namespace {

constexpr double kPointsPerInch = 72;
constexpr std::int64_t kPatch = 28 * 28;  // pixels of an image token of Qwen2-VL and its successors

// 144 dpi and the sizes of `low` come from MoLoRAG's code. M3DocRAG, MDocAgent and DMAP use 144
// dpi, too. The other limits are this project's own choice, in the same tokens.
constexpr std::array<std::pair<const char*, TierSize>, 4> kTiers = {{
    {"thumb", {72, 256 * kPatch, 0}},
    {"low", {144, 512 * kPatch, 256 * kPatch}},
    {"page", {144, 1280 * kPatch, 0}},
    {"fine", {200, 2560 * kPatch, 0}},
}};

struct Picture : serving::CachedContent {
  explicit Picture(Image made) : image(std::move(made)) {}
  std::size_t bytes() const override { return image.pixels.size(); }

  Image image;
};
using Made = std::shared_ptr<const Picture>;

class DocumentPages : public PageSource {
 public:
  DocumentPages(const documents::DocumentWorkerOptions& workers, documents::ReadOptions read)
      : workers_(std::make_unique<documents::DocumentWorkers>(workers)), read_(std::move(read)) {}

  Image raster(const store::DocumentRow& document, int page, double dpi) const override {
    check_unchanged(document);
    // A page of a reflowable document exists only in the layout that it had when it was indexed.
    documents::ReadOptions as_indexed = read_;
    as_indexed.reflow = document.reflowable;
    return workers_->raster(document.path, page, dpi, false, as_indexed);
  }

 private:
  std::unique_ptr<documents::DocumentWorkers> workers_;
  documents::ReadOptions read_;
};

// Returns the dots per inch at which a page of this size has at least `fewest` pixels, but not too
// many to hold in memory. A page of unknown size gets `dpi`.
double dpi_of(const Page& page, double dpi, std::int64_t fewest) {
  const double scale = dpi / kPointsPerInch;
  const double pixels = scale * scale * page.width_pt * page.height_pt;
  const double wanted = static_cast<double>(fewest);
  if (pixels > 0 && pixels < wanted) dpi *= std::sqrt(wanted / pixels);
  return models::dpi_for({dpi}, page.width_pt, page.height_pt);
}

// Rounds down, so that the result never exceeds the limit.
Image shrunk(Image picture, std::int64_t most) {
  const std::int64_t pixels = std::int64_t{picture.width} * picture.height;
  if (pixels <= most) return picture;
  const double scale = std::sqrt(static_cast<double>(most) / static_cast<double>(pixels));
  const auto side = [&](int full, std::int64_t limit) {
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(full * scale), 1, limit);
  };
  const std::int64_t width = side(picture.width, most);
  const std::int64_t height =
      side(picture.height, most / width);  // width >= 1 even if the page is thin
  return image::resize(picture, static_cast<int>(width), static_cast<int>(height));
}

}  // namespace

const char* tier_name(Tier tier) { return kTiers.at(static_cast<std::size_t>(tier)).first; }

Image shrunk_to(Tier tier, Image picture) {
  return shrunk(std::move(picture), tier_size(tier).most_pixels);
}

TierSize tier_size(Tier tier) { return kTiers.at(static_cast<std::size_t>(tier)).second; }

std::unique_ptr<const PageSource> document_pages(const documents::DocumentWorkerOptions& workers,
                                                 const documents::ReadOptions& read) {
  return std::make_unique<DocumentPages>(workers, read);
}

// The cache of pictures, and the pictures that threads are drawing.
class PageImages::Pictures {
 public:
  explicit Pictures(std::size_t bytes) : kept_(bytes) {}

  // Returns the picture under `key`. Calls `make` if it is neither cached nor being drawn. If
  // `make` throws, all threads that waited get the exception, and the next call tries again.
  Made get(const std::string& key, const std::function<Image()>& make) {
    std::promise<Made> mine;
    std::shared_future<Made> theirs;
    {
      const std::lock_guard lock(mutex_);
      if (auto known = kept_.find(key)) return std::static_pointer_cast<const Picture>(known);
      const auto [place, is_new] = making_.try_emplace(key);
      if (is_new) {
        place->second = mine.get_future().share();
      } else {
        theirs = place->second;
      }
    }
    return theirs.valid() ? theirs.get() : make_for_all(key, make, mine);
  }

 private:
  // Removes the entry before it fulfils the promise, so that after a failure nobody waits for it.
  Made make_for_all(const std::string& key, const std::function<Image()>& make,
                    std::promise<Made>& promise) {
    try {
      const auto picture = std::make_shared<const Picture>(make());
      finish(key, picture);
      promise.set_value(picture);
      return picture;
    } catch (...) {
      finish(key, nullptr);
      promise.set_exception(std::current_exception());
      throw;
    }
  }

  void finish(const std::string& key, const Made& picture) {
    const std::lock_guard lock(mutex_);
    if (picture != nullptr) kept_.put(key, picture);
    making_.erase(key);
  }

  std::mutex mutex_;  // guards the two below
  std::map<std::string, std::shared_future<Made>> making_;
  serving::ContentCache kept_;
};

PageImages::PageImages(const Corpus& corpus, std::shared_ptr<const PageSource> source,
                       std::size_t cache_bytes)
    : corpus_(corpus), source_(std::move(source)), kept_(std::make_unique<Pictures>(cache_bytes)) {}

PageImages::~PageImages() = default;

SharedImage PageImages::page(PageId dense_page, Tier tier) const {
  const Made made = kept_->get(format("{}/{}", dense_page.value, tier_name(tier)), [&] {
    const TierSize size = tier_size(tier);
    return shrunk(raster(dense_page, size).picture, size.most_pixels);
  });
  return SharedImage({made, &made->image});
}

// The key contains the box, so that the same crop is drawn once.
SharedImage PageImages::crop(PageId dense_page, const Box& box, Tier tier) const {
  const std::string key = format("{}/{}/{},{},{},{}", dense_page.value, tier_name(tier), box.x0,
                                 box.y0, box.x1, box.y1);
  const Made made = kept_->get(key, [&] {
    const TierSize size = tier_size(tier);
    return shrunk(cut_out(dense_page, box, size.dpi), size.most_pixels);
  });
  return SharedImage({made, &made->image});
}

// Draws the complete page and crops it: document workers draw only complete pages.
Image PageImages::cut_out(PageId dense_page, const Box& box, double dpi) const {
  const PageRaster whole = raster(dense_page, dpi);
  const Box inside = intersected(box, {0, 0, whole.width_pt, whole.height_pt});
  if (inside.empty()) {
    const PageRef ref = corpus_.ref(dense_page);
    throw Error(
        ErrorCode::input,
        format("{}, page {}: the box {:g},{:g},{:g},{:g} is not on the page of {:g} x {:g} "
               "points; give x0,y0,x1,y1 from its top left corner",
               ref.doc, ref.page, box.x0, box.y0, box.x1, box.y1, whole.width_pt, whole.height_pt));
  }
  return image::crop(whole.picture, inside, whole.pixels_a_point);
}

PageRaster PageImages::raster(PageId dense_page, double dpi) const {
  return raster(dense_page, TierSize{.dpi = dpi});
}

PageRaster PageImages::raster(PageId dense_page, const TierSize& size) const {
  const store::DocumentRow& document =
      corpus_.documents()[corpus_.document_of(dense_page).value].row;
  const PageRef ref = corpus_.ref(dense_page);
  try {
    const Page page = corpus_.page(dense_page);
    if (page.width_pt <= 0 && !page.problem.empty()) {
      throw Error(ErrorCode::damaged,
                  format("it could not be read when it was indexed: {}", page.problem));
    }
    const double dpi = dpi_of(page, size.dpi, size.fewest_pixels);
    Image picture = source_->raster(document, ref.page, dpi);
    // Without a stored page size, the size of the picture gives it.
    const double scale = dpi / kPointsPerInch;
    const bool known = page.width_pt > 0 && page.height_pt > 0;
    const double width = known ? page.width_pt : picture.width / scale;
    const double height = known ? page.height_pt : picture.height / scale;
    return {std::move(picture), static_cast<float>(width), static_cast<float>(height), scale};
  } catch (const Error& error) {
    throw Error(error.code(),
                format("cannot show {}, page {}: {}", ref.doc, ref.page, error.what()));
  }
}

}  // namespace fineprint::session
