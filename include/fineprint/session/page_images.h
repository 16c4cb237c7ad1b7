// Pictures of pages in the sizes (tiers) that agents look at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "fineprint/core/geometry.h"
#include "fineprint/core/ids.h"
#include "fineprint/core/image.h"
#include "fineprint/documents/document_workers.h"
#include "fineprint/session/corpus.h"

namespace fineprint::session {

// Named limits of image resolution. `thumb` is the smallest.
enum class Tier { thumb, low, page, fine };

// Returns "thumb", "low", "page" or "fine".
const char* tier_name(Tier tier);

// The resolution of a tier. A picture is drawn at `dpi`, and scaled down if it has more than
// `most_pixels`.
struct TierSize {
  // Dots per inch of the drawing.
  double dpi = 0;
  std::int64_t most_pixels = 0;
  std::int64_t fewest_pixels = 0;  // smaller pages are drawn at a higher dpi; 0: no minimum
};

// Returns the resolution of a tier: for example, 144 dpi and at most 1280 * 784 pixels for `page`.
TierSize tier_size(Tier tier);

// Scales a picture of a page down to the pixel limit of the tier, by area averaging.
Image shrunk_to(Tier tier, Image picture);

// Draws pages. An interface, so that tests can provide their own. Safe from several threads.
class PageSource {
 public:
  virtual ~PageSource() = default;
  // Returns page `page` (a page number) in RGB on white. Throws Error naming the document's file
  // and what to do.
  virtual Image raster(const store::DocumentRow& document, int page, double dpi) const = 0;
};

// Returns a source that reads the documents' own files in document workers, which start at the
// first page. It throws Error(unreadable) if a file is gone or has changed since it was indexed,
// because the picture would not match the stored text.
std::unique_ptr<const PageSource> document_pages(const documents::DocumentWorkerOptions& workers,
                                                 const documents::ReadOptions& read);

// A drawn page with its scale: x points are x * pixels_a_point pixels.
struct PageRaster {
  // The picture, and the size of the page in points.
  Image picture;
  float width_pt = 0, height_pt = 0;
  double pixels_a_point = 0;
};

// Draws pictures of pages and caches the ones used last. Safe from several threads; if two threads
// ask for the same picture, one draws it and the other waits.
//
// A page keeps its aspect ratio at every tier. If it is more than 8 times as high as wide, small
// print may become unreadable under the pixel limit, and crop() is the way to see it. A page that
// would have more than 2^24 pixels at a tier's dpi is drawn at a lower dpi.
class PageImages {
 public:
  // `corpus` must outlive the object. The cache takes about `cache_bytes`.
  PageImages(const Corpus& corpus, std::shared_ptr<const PageSource> source,
             std::size_t cache_bytes);
  ~PageImages();

  // Returns a page drawn at the tier's dpi, or at a higher one if the tier's minimum requires it,
  // and scaled down to the tier's limit by area averaging. Throws Error naming document and page.
  SharedImage page(PageId dense_page, Tier tier) const;
  // Returns the part of the page inside the box (in points), drawn at the tier's dpi and scaled
  // down to the tier's limit: so the smaller the box, the more detail is visible. There is no
  // minimum. Throws Error as page() does, and Error(input) if the box and the page do not overlap.
  SharedImage crop(PageId dense_page, const Box& box_pt, Tier tier) const;
  // Returns a page drawn at `dpi` for people to look at. Not cached. Throws Error as page() does.
  PageRaster raster(PageId dense_page, double dpi) const;

 private:
  class Pictures;
  PageRaster raster(PageId dense_page, const TierSize& size) const;
  Image cut_out(PageId dense_page, const Box& box_pt, double dpi) const;

  const Corpus& corpus_;
  std::shared_ptr<const PageSource> source_;
  std::unique_ptr<Pictures> kept_;
};

}  // namespace fineprint::session
