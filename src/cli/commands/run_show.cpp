// `fineprint show`: shows pages as text, Markdown or records, or draws a page with quotes marked.
#include <filesystem>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/core/page_name.h"
#include "fineprint/core/threads.h"
#include "fineprint/evidence/page_markdown.h"
#include "fineprint/exchange/page_record.h"
#include "fineprint/image/codec.h"
#include "fineprint/report/marks.h"
#include "fineprint/report/report.h"
#include "fineprint/store/store.h"

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/report_file.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

// The pages [first, first + pages).
struct ShownPages {
  PageId first;
  std::uint32_t pages = 0;
};

// A glob may match several documents, but only one can be shown.
DocumentId named_document(const session::Corpus& corpus, const std::string& name) {
  const session::Pool pool = corpus.pool({name});
  const auto& documents = corpus.documents();
  if (pool.size() > 1) {
    throw Error(
        ErrorCode::input,
        format("\"{}\" matches {} documents, for example {} and {}; name one of them", name,
               pool.size(), documents[pool[0].value].row.doc, documents[pool[1].value].row.doc));
  }
  return pool.front();
}

// Returns one page, or all pages of a document. A document's name may contain a '#', too.
ShownPages named_pages(const session::Corpus& corpus, const std::string& name) {
  const std::optional<PageRef> page = parse_page_name(name);
  const bool names_all = name.find('#') == std::string::npos || corpus.store().find(name);
  if (!page && !names_all) {
    throw Error(ErrorCode::usage,
                format("\"{}\" does not name a page; give DOC#PAGE, for example report.pdf#2, or "
                       "DOC for all its pages",
                       name));
  }
  const DocumentId document = named_document(corpus, names_all ? name : page->doc);
  const session::CorpusDocument& held = corpus.documents()[document.value];
  const store::DocumentRow& row = held.row;
  if (names_all) return {held.first_page, static_cast<std::uint32_t>(row.page_count)};
  if (page->page > row.page_count) {
    throw Error(ErrorCode::input, format("{} has no page {}; its pages are 1 to {}", row.doc,
                                         page->page, row.page_count));
  }
  return {corpus.page_number(document, page->page), 1};
}

// PNG keeps every pixel; JPEG is smaller for scans.
enum class PictureKind { png, jpeg };

// The ending of the file decides the format; it is checked before the page is drawn.
PictureKind picture_kind(const std::string& file) {
  const std::string end = std::filesystem::path(file).extension().string();
  if (end == ".png") return PictureKind::png;
  if (end == ".jpg" || end == ".jpeg") return PictureKind::jpeg;
  throw Error(ErrorCode::usage,
              format("--out {}: the name of a picture must end in .png, .jpg or .jpeg", file));
}

// The same fields as the server's marks.
Json describe_marks(const std::vector<report::Mark>& marks) {
  Json list = Json::array();
  for (const report::Mark& mark : marks) {
    Json boxes = Json::array();
    for (const Box& box : mark.boxes) boxes.push_back(exchange::describe(box));
    list.push_back(
        {{"quote", mark.quote}, {"boxes", std::move(boxes)}, {"similarity", mark.similarity}});
  }
  return list;
}

enum class Form { text, markdown, json };

Form form_of(const Settings& settings) {
  const std::string& name = settings.text("page-format");
  if (settings.flag("json") || name == "json") return Form::json;
  return name == "markdown" ? Form::markdown : Form::text;
}

void log_problem(const PageRef& ref, const Page& page) {
  if (!page.problem.empty()) log::warn("{}, page {}: {}", ref.doc, ref.page, page.problem);
  if (page.words.empty() && page.problem.empty()) {
    log::note("{}, page {}: the page has no words", ref.doc, ref.page);
  }
}

// The record of an exported page, with the marks.
void print_page_record(const PageRef& ref, const Page& page,
                       const std::vector<report::Mark>& marks) {
  Json record = exchange::describe(ref, page);
  record["marks"] = describe_marks(marks);
  print_line(dump_json(record));
}

// Separates pages with a form feed, as in a text file for printing, or with a comment in Markdown.
void print_pages(const session::Corpus& corpus, const ShownPages& shown,
                 const std::vector<report::Mark>& marks, Form form) {
  for (std::uint32_t i = 0; i < shown.pages; ++i) {
    throw_if_interrupted();
    const PageRef ref = corpus.ref(shown.first + i);
    const Page page = corpus.page(shown.first + i);
    // Records carry the page's problem as a field, so nothing is logged for them.
    if (form == Form::json) {
      print_page_record(ref, page, marks);
      continue;
    }
    if (form == Form::markdown) {
      if (shown.pages > 1)
        print_piece(format("{}<!-- page {} -->\n\n", i > 0 ? "\n" : "", ref.page));
      print_piece(evidence::page_markdown(page));
    } else {
      if (i > 0) print_piece("\f");
      if (!page.words.empty()) print_line(page_text(page));
    }
    log_problem(ref, page);
  }
}

// Prints the hidden text of each page that has some, as text or as a record.
void print_hidden(const session::Corpus& corpus, const ShownPages& shown, bool json) {
  std::uint32_t printed = 0;
  for (std::uint32_t i = 0; i < shown.pages; ++i) {
    throw_if_interrupted();
    const PageRef ref = corpus.ref(shown.first + i);
    const Page page = corpus.page(shown.first + i);
    if (page.hidden.empty()) continue;
    ++printed;
    if (json) {
      print_line(dump_json({{"doc", ref.doc}, {"page", ref.page}, {"hidden", page.hidden}}));
    } else {
      log::note("{}, page {}:", ref.doc, ref.page);
      print_line(page.hidden);
    }
  }
  if (printed == 0) log::note("no hidden text was found");
}

// Hidden text is on no picture and has no elements.
void check_hidden(const Settings& settings) {
  const bool has_other = !settings.text("out").empty() || !settings.list("mark").empty() ||
                         settings.origin("page-format") != settings::kDefaultOrigin;
  if (!has_other) return;
  throw Error(ErrorCode::usage,
              "--hidden prints text that is on no picture; leave out --out, --mark and --format");
}

// Only one worker, because only one page is drawn.
void write_picture(const session::Corpus& corpus, PageId dense_page,
                   const std::vector<report::Mark>& marks, const Settings& settings) {
  const std::string& out = settings.text("out");
  const PictureKind kind = picture_kind(out);
  documents::DocumentWorkerOptions workers =
      document_worker_options(settings, settings.text("store"));
  workers.workers = 1;
  const session::PageImages images(corpus, session::document_pages(workers, read_options(settings)),
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
  const std::string name = argument(settings, 0, "DOC#PAGE (or DOC for all its pages)");
  const std::string& out = settings.text("out");
  const std::vector<std::string> quotes = settings.list("mark");
  const Form form = form_of(settings);
  const bool hidden = settings.flag("hidden");
  if (hidden) check_hidden(settings);
  if (out.empty() && !quotes.empty() && form != Form::json) {
    throw Error(ErrorCode::usage,
                "--mark needs a picture; give --out FILE.png, or --json to print the boxes");
  }
  if (!out.empty()) {
    picture_kind(out);
    require_place_for(out);
  }
  const store::Store store(store_dir(settings), store::Mode::read);
  // Opened after the checks of the flags, because opening a large store takes time.
  const session::Corpus corpus(store);
  const ShownPages shown = named_pages(corpus, name);
  if ((!out.empty() || !quotes.empty()) && shown.pages != 1) {
    throw Error(ErrorCode::usage,
                format("--out and --mark need one page, but {} has {}; name one, for example {}#1",
                       name, shown.pages, name));
  }
  if (hidden) {
    print_hidden(corpus, shown, form == Form::json);
    return 0;
  }
  std::vector<report::Mark> marks;
  if (!quotes.empty()) marks = report::find_marks(corpus, shown.first, quotes);
  if (out.empty()) {
    print_pages(corpus, shown, marks, form);
  } else {
    write_picture(corpus, shown.first, marks, settings);
  }
  return 0;
}

}  // namespace fineprint::cli
