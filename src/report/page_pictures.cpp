// Draws pages as JPEG, into files or data URLs.
#include "report/page_pictures.h"

#include <cmath>
#include <filesystem>

#include "fineprint/core/base64.h"
#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/progress.h"
#include "fineprint/core/threads.h"
#include "fineprint/image/codec.h"

namespace fineprint::report {
namespace {

constexpr int kQuality = 85;

std::string data_url(const std::vector<std::uint8_t>& jpeg) {
  std::string url = "data:image/jpeg;base64,";
  append_base64(jpeg, &url);
  return url;
}

}  // namespace

PagePictures::PagePictures(const session::Corpus* corpus, const session::PageImages* images,
                           const ReportOptions& options)
    : corpus_(corpus), images_(images), options_(options) {
  if (corpus != nullptr) finder_.emplace(*corpus);
}

// A page that is not in the store is listed, too, so that the report can say that it is missing.
std::size_t PagePictures::want(const PageRef& page, const std::vector<std::string>& docs) {
  std::optional<PageId> dense;
  if (finder_) dense = finder_->find(page, docs);
  const PageRef name =
      dense ? corpus_->ref(*dense)
            : PageRef{page.doc.empty() && docs.size() == 1 ? docs.front() : page.doc, page.page};
  const auto [place, is_new] = place_.emplace(name, pages_.size());
  if (is_new) {
    pages_.push_back({.page = name});
    dense_.push_back(dense);
  }
  return place->second;
}

// Drawing takes most of a report's time, so it uses all cores.
void PagePictures::draw(const std::string& folder) {
  if (!are_shown() || pages_.empty()) return;
  are_files_ = options_.pictures == Pictures::files ||
               (options_.pictures == Pictures::automatic && pages_.size() > kMostEmbedded);
  if (are_files_) make_folders(folder);
  Progress progress("Drawing", "pages", static_cast<long>(pages_.size()));
  parallel_for(pages_.size(), usable_cores(), [&](std::size_t i) {
    throw_if_interrupted();
    draw_page(i, folder);
    progress.advance();
  });
}

void PagePictures::draw_page(std::size_t at, const std::string& folder) {
  ShownPage& shown = pages_[at];
  if (!dense_[at]) {
    shown.problem = format("the store has no page {} of \"{}\"", shown.page.page, shown.page.doc);
    return;
  }
  const Page page = corpus_->page(*dense_[at]);
  shown.width_pt = page.width_pt;
  shown.height_pt = page.height_pt;
  const std::string name = file_name(*dense_[at]);
  const std::string path = format("{}/{}", folder, name);
  const bool is_sized = page.width_pt > 0 && page.height_pt > 0;
  // The size of the page is needed for the marks; without it the page must be drawn to learn it.
  if (are_files_ && is_sized && std::filesystem::exists(path)) {
    shown.source = name;
    return;
  }
  try {
    const session::PageRaster raster = images_->raster(*dense_[at], options_.dpi);
    shown.width_pt = raster.width_pt;
    shown.height_pt = raster.height_pt;
    const std::vector<std::uint8_t> jpeg = image::encode_jpeg(raster.picture, kQuality);
    if (are_files_) {
      write_file_atomic(path, {reinterpret_cast<const char*>(jpeg.data()), jpeg.size()});
    }
    shown.source = are_files_ ? name : data_url(jpeg);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::interrupted) throw;
    shown.problem = error.what();
  }
}

// The name depends on everything that the picture shows, so an existing file need not be drawn
// again.
std::string PagePictures::file_name(PageId dense_page) const {
  const store::DocumentRow& row = corpus_->documents()[corpus_->document_of(dense_page).value].row;
  const int page = corpus_->ref(dense_page).page;
  const std::string shown = format("{}\n{}\n{}\n{}", row.hash, row.doc, page, options_.dpi);
  return format("{}-{}.jpg", content_hash(shown).substr(0, 16), page);
}

std::vector<MissingPage> PagePictures::missing() const {
  std::vector<MissingPage> missing;
  for (const ShownPage& shown : pages_) {
    if (!shown.problem.empty()) missing.push_back({shown.page, shown.problem});
  }
  return missing;
}

}  // namespace fineprint::report
