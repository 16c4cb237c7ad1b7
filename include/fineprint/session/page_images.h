// Pages of the corpus as pictures, in the sizes that agents look at them in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "fineprint/core/geometry.h"
#include "fineprint/core/image.h"
#include "fineprint/documents/reader.h"
#include "fineprint/session/corpus.h"

namespace fineprint::session {

enum class Tier { thumb, low, page, fine };

// "thumb", "low", "page", "fine".
const char* tier_name(Tier tier);

struct TierSize {
  double dpi = 0;
  std::int64_t most_pixels = 0;
  std::int64_t fewest_pixels = 0;  // 0: no floor
};

TierSize tier_size(Tier tier);

// A picture of a page shrunk by area averaging to the tier's cap.
Image shrunk_to(Tier tier, Image picture);

// Where pages are rasterised; tests give one of their own. Safe from several threads.
class PageSource {
 public:
  virtual ~PageSource() = default;
  // RGB, on white. Throws Error naming the document's file and what to do.
  virtual Image raster(const store::DocumentRow& document, int page, double dpi) const = 0;
};

// The documents' own files, read by worker processes that are started at the first page. A file
// that is gone or has changed since it was indexed is Error(unreadable).
std::unique_ptr<const PageSource> document_pages(const documents::ReaderOptions& reader,
                                                 const documents::ReadOptions& read);

// A page drawn whole, and where its points lie: x in points is x * pixels_a_point in pixels.
struct PageRaster {
  Image picture;
  float width_pt = 0, height_pt = 0;
  double pixels_a_point = 0;
};

// Keeps the pictures that were asked for last. Safe from several threads; one that asks for a
// picture that another is making waits for that one.
//
// A page keeps its aspect at every tier, however long and thin it is: with one over 8 times as high
// as wide, small print may be lost to the cap, and crop() is how to see it. A page that would have
// over 2^24 pixels at a tier's dpi is rasterised at fewer.
class PageImages {
 public:
  // `corpus` must outlive it.
  PageImages(const Corpus& corpus, std::shared_ptr<const PageSource> source,
             std::size_t cache_bytes);
  ~PageImages();

  // Rasterised at the tier's dpi, at more when the tier's floor asks for it, and shrunk by area
  // averaging to the tier's cap. Throws Error naming document and page.
  SharedImage page(std::uint32_t dense_page, Tier tier) const;
  // The part of the page inside the box, at the tier's dpi and within the tier's cap: the smaller
  // the box, the more is seen of it. No floor. Throws Error as page() does, and Error(input) for a
  // box that shares nothing with the page.
  SharedImage crop(std::uint32_t dense_page, const Box& box_pt, Tier tier) const;
  // Rasterised at `dpi` for people to look at, and not kept. Throws Error as page() does.
  PageRaster raster(std::uint32_t dense_page, double dpi) const;

 private:
  class Pictures;
  PageRaster raster(std::uint32_t dense_page, const TierSize& size) const;
  Image cut_out(std::uint32_t dense_page, const Box& box_pt, double dpi) const;

  const Corpus& corpus_;
  std::shared_ptr<const PageSource> source_;
  std::unique_ptr<Pictures> kept_;
};

}  // namespace fineprint::session
