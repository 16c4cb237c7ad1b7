// `fineprint show`: a page as text, or as a picture with quotes marked.
#include <filesystem>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/image/codec.h"
#include "fineprint/report/marks.h"
#include "fineprint/report/report.h"
#include "fineprint/store/store.h"

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/page_name.h"
#include "cli/report_file.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

std::uint32_t named_page(const session::Corpus& corpus, const std::string& name) {
  const std::optional<PageRef> page = parse_page_name(name);
  if (!page) {
    throw Error(ErrorCode::usage,
                format("\"{}\" names no page: DOC#PAGE is expected, as in report.pdf#2", name));
  }
  const session::Pool pool = corpus.pool({page->doc});
  const auto& documents = corpus.documents();
  if (pool.size() > 1) {
    throw Error(ErrorCode::input,
                format("\"{}\" means {} documents, {} and {} among them: name one", page->doc,
                       pool.size(), documents[pool[0]].row.doc, documents[pool[1]].row.doc));
  }
  const store::DocumentRow& row = documents[pool.front()].row;
  if (page->page > row.page_count) {
    throw Error(ErrorCode::input, format("{} has no page {}: its pages are 1 to {}", row.doc,
                                         page->page, row.page_count));
  }
  return corpus.page_number(pool.front(), page->page);
}

enum class PictureKind { png, jpeg };

PictureKind picture_kind(const std::string& file) {
  const std::string end = std::filesystem::path(file).extension().string();
  if (end == ".png") return PictureKind::png;
  if (end == ".jpg" || end == ".jpeg") return PictureKind::jpeg;
  throw Error(ErrorCode::usage, format("--out {}: pages are written as .png, .jpg or .jpeg", file));
}

Json describe_marks(const std::vector<report::Mark>& marks) {
  Json list = Json::array();
  for (const report::Mark& mark : marks) {
    Json boxes = Json::array();
    for (const Box& box : mark.boxes) boxes.push_back({box.x0, box.y0, box.x1, box.y1});
    list.push_back(
        {{"quote", mark.quote}, {"boxes", std::move(boxes)}, {"similarity", mark.similarity}});
  }
  return list;
}

void print_page(const PageRef& ref, const Page& page, const std::vector<report::Mark>& marks,
                bool json) {
  if (json) {
    print_line(dump_json({{"doc", ref.doc},
                          {"page", ref.page},
                          {"width", page.width_pt},
                          {"height", page.height_pt},
                          {"text", page_text(page)},
                          {"marks", describe_marks(marks)}}));
    return;
  }
  if (!page.words.empty()) print_line(page_text(page));
  if (!page.problem.empty()) log::warn("{}, page {}: {}", ref.doc, ref.page, page.problem);
  if (page.words.empty() && page.problem.empty()) {
    log::note("{}, page {}: no words were read from it", ref.doc, ref.page);
  }
}

void write_picture(const session::Corpus& corpus, std::uint32_t dense_page,
                   const std::vector<report::Mark>& marks, const Settings& settings) {
  const std::string& out = settings.text("out");
  const PictureKind kind = picture_kind(out);
  documents::ReaderOptions reader = document_reader_options(settings, settings.text("store"));
  reader.workers = 1;
  const session::PageImages images(corpus, session::document_pages(reader, read_options(settings)),
                                   0);
  session::PageRaster raster =
      images.raster(dense_page, settings.read(report::report_options()).dpi);
  for (const report::Mark& mark : marks) {
    report::draw_marks(mark.boxes, raster.pixels_a_point, &raster.picture);
  }
  const std::vector<std::uint8_t> bytes = kind == PictureKind::png
                                              ? image::encode_png(raster.picture)
                                              : image::encode_jpeg(raster.picture);
  write_file_atomic(out, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  const PageRef ref = corpus.ref(dense_page);
  if (settings.flag("json")) {
    print_line(dump_json({{"doc", ref.doc},
                          {"page", ref.page},
                          {"file", out},
                          {"width", raster.picture.width},
                          {"height", raster.picture.height},
                          {"marks", describe_marks(marks)}}));
  }
  log::note("{}, page {}: {} x {} pixels in {}", ref.doc, ref.page, raster.picture.width,
            raster.picture.height, out);
}

}  // namespace

int run_show(const Settings& settings) {
  allow_arguments(settings, 1);
  const std::string name = argument(settings, 0, "DOC#PAGE");
  const std::string& out = settings.text("out");
  const std::vector<std::string> quotes = settings.list("mark");
  if (out.empty() && !quotes.empty() && !settings.flag("json")) {
    throw Error(ErrorCode::usage,
                "--mark marks a picture: give --out FILE.png, or --json for the boxes");
  }
  if (!out.empty()) {
    picture_kind(out);
    require_place_for(out);
  }
  const store::Store store(store_dir(settings), store::Mode::read);
  const session::Corpus corpus(store);
  const std::uint32_t page = named_page(corpus, name);
  const std::vector<report::Mark> marks = report::find_marks(corpus, page, quotes);
  if (out.empty()) {
    print_page(corpus.ref(page), corpus.page(page), marks, settings.flag("json"));
  } else {
    write_picture(corpus, page, marks, settings);
  }
  return 0;
}

}  // namespace fineprint::cli
