// Implements Document: facts about a document, pages as words and boxes, pages as pictures.
#include "fineprint/pdf/document.h"

#include <cmath>
#include <utility>

#include <mupdf/pdf.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/text.h"

#include "pdf/annotations.h"
#include "pdf/embedded.h"
#include "pdf/field_labels.h"
#include "pdf/formats.h"
#include "pdf/guard.h"
#include "pdf/hidden_text.h"
#include "pdf/ink_pictures.h"
#include "pdf/ink_watch.h"
#include "pdf/jpeg_device.h"
#include "pdf/navigation.h"
#include "pdf/opening.h"
#include "pdf/picture_size.h"
#include "pdf/text_limit.h"
#include "pdf/tick_boxes.h"
#include "pdf/vectors.h"
#include "pdf/words.h"

namespace fineprint::pdf {

// Owns one MuPDF context. Documents do not share one, because a context is not thread-safe.
struct ContextOwner {
  fz_context* pointer = new_context();
  ContextOwner() = default;
  ~ContextOwner() { fz_drop_context(pointer); }
  ContextOwner(const ContextOwner&) = delete;
  ContextOwner& operator=(const ContextOwner&) = delete;
};

struct Document::State {
  explicit State(const std::string& file) : path(file), document(context.pointer) {}

  std::string path;
  Content content;       // must outlive the document that is read from it
  ContextOwner context;  // must outlive the document
  OwnedDocument document;
  int page_count = 0;
  bool labelled = false;

  std::string name_of(int number) const { return format("{}: page {}", path, number); }
  void load(int number, OwnedPage* page);
};

namespace {

// Returns a value of the document's metadata without white space around it, or "".
std::string metadata(fz_context* context, fz_document* document, const char* key) {
  char value[512] = "";
  guarded(context, [&] { fz_lookup_metadata(context, document, key, value, sizeof value); });
  return std::string(trim(value));
}

// If the page tree names a page that the file does not have, MuPDF returns an empty page.
bool is_missing(fz_context* context, fz_page* page) {
  bool missing = false;
  guarded(context, [&] {
    pdf_page* as_pdf = pdf_page_from_fz_page(context, page);
    missing = as_pdf != nullptr && pdf_is_dict(context, as_pdf->obj) == 0;
  });
  return missing;
}

// Comic books are archives of pictures. If MuPDF cannot read a picture, it returns an empty page.
bool lacks_its_picture(const std::string& format, const RawPage& page) {
  return (format == "zip" || format == "tar") && !(page.width_pt > 0);
}

// Returns the rotation in degrees from 0 to 359; 0 for documents other than PDF.
int read_rotation(fz_context* context, fz_page* page) {
  pdf_page* as_pdf = pdf_page_from_fz_page(context, page);
  if (as_pdf == nullptr) return 0;
  pdf_obj* value = pdf_dict_get_inheritable(context, as_pdf->obj, PDF_NAME(Rotate));
  const int degrees = pdf_to_int(context, value) % 360;
  return degrees < 0 ? degrees + 360 : degrees;
}

void read_facts(fz_context* context, fz_page* source, bool labelled, RawPage* page,
                fz_rect* bounds) {
  char label[64] = "";
  // MuPDF invents labels for documents without any, so only labels in the file are read.
  if (labelled) guarded(context, [&] { fz_page_label(context, source, label, sizeof label); });
  guarded(context, [&] { page->rotation = read_rotation(context, source); });
  page->label = label;
  page->width_pt = bounds->x1 - bounds->x0;
  page->height_pt = bounds->y1 - bounds->y0;
}

// What running a page collects.
struct PageContents {
  explicit PageContents(fz_context* context) : text(context), vectors(context), ink(context) {}
  OwnedTextPage text;
  Vectors vectors;  // everything else
  InkLog ink;
};

// Runs a page once.
Failure run_page(fz_context* context, fz_page* page, fz_rect bounds, PageContents* contents,
                 TextLimit* limit) {
  OwnedDevice text_device(context);
  OwnedDevice limit_device(context);
  OwnedDevice vectors_device(context);
  OwnedDevice device(context);
  fz_stext_options options = {};
  options.flags = FZ_STEXT_CLIP;
  return guarded(context, [&] {
    const fz_rect area = {0, 0, bounds.x1 - bounds.x0, bounds.y1 - bounds.y0};
    contents->text.pointer = fz_new_stext_page(context, area);
    text_device.pointer = fz_new_stext_device(context, contents->text.pointer, &options);
    limit_device.pointer = new_text_limit_device(context, text_device.pointer, limit);
    vectors_device.pointer =
        new_vectors_device(context, limit_device.pointer, &contents->vectors, area);
    device.pointer = new_ink_watch_device(context, vectors_device.pointer, &contents->ink, area);
    // MuPDF reads the hints of the outermost device only, so that it needs those of the text
    // device.
    fz_enable_device_hints(context, device.pointer, text_device.pointer->hints);
    run_all(context, page, device.pointer, fz_translate(-bounds.x0, -bounds.y0), &limit->cookie);
    fz_close_device(context, device.pointer);
  });
}

// Records what the page draws. From a list MuPDF knows how much of each group and clip is drawn
// into. That is usually far less than the whole page, which it would otherwise allocate and blend.
Failure list_page(fz_context* context, fz_page* page, fz_rect bounds, OwnedDisplayList* list) {
  OwnedDevice device(context);
  return guarded(context, [&] {
    list->pointer = fz_new_display_list(context, bounds);
    device.pointer = fz_new_list_device(context, list->pointer);
    run_all(context, page, device.pointer, fz_identity, nullptr);
    fz_close_device(context, device.pointer);
  });
}

double centimetres(float points) { return points * 2.54 / 72; }

// The page in points and its scale to pixels.
struct Frame {
  fz_rect bounds;  // in points
  fz_matrix scale;
};

Failure draw_page(fz_context* context, fz_page* page, const Frame& frame, const Drawing& drawing,
                  OwnedPixmap* pixmap) {
  OwnedDisplayList list(context);
  // If the page has too many marks to record, it is drawn without a list.
  const bool listed = !list_page(context, page, frame.bounds, &list);
  JpegStandIn stand_in{.decode = drawing.decode_jpeg, .picture = {}};
  OwnedDevice canvas(context);
  OwnedDevice device(context);
  return guarded(context, [&] {
    fz_clear_pixmap_with_value(context, pixmap->pointer, 0xFF);
    canvas.pointer = fz_new_draw_device(context, fz_identity, pixmap->pointer);
    device.pointer = drawing.decode_jpeg ? new_jpeg_device(context, canvas.pointer, &stand_in)
                                         : fz_keep_device(context, canvas.pointer);
    if (listed) {
      fz_run_display_list(context, list.pointer, device.pointer, frame.scale, fz_infinite_rect,
                          nullptr);
    } else {
      run_all(context, page, device.pointer, frame.scale, nullptr);
    }
    fz_close_device(context, device.pointer);
  });
}

}  // namespace

void Document::State::load(int number, OwnedPage* page) {
  if (number < 1 || number > page_count) {
    throw Error(ErrorCode::damaged,
                format("{}: the document has only {} pages", name_of(number), page_count));
  }
  fz_context* mupdf = context.pointer;
  const Failure failure =
      guarded(mupdf, [&] { page->pointer = fz_load_page(mupdf, document.pointer, number - 1); });
  if (failure) throw error_of(failure, name_of(number) + " cannot be loaded");
  if (is_missing(mupdf, page->pointer)) {
    throw Error(ErrorCode::damaged,
                name_of(number) + " is missing from the file, which may be truncated");
  }
}

Document::Document(const std::string& path, const std::string& password) {
  check_file(path);
  state_ = std::make_unique<State>(path);
  fz_context* context = state_->context.pointer;
  const Failure failure = guarded(context, [&] { fz_register_document_handlers(context); });
  if (failure) throw error_of(failure, "MuPDF");
  open_document(context, path, password, &state_->document, &state_->page_count);
  guarded(context, [&] { state_->labelled = has_labels(context, state_->document.pointer); });
}

Document::Document(const std::string& path, Content content) {
  state_ = std::make_unique<State>(path);
  state_->content = std::move(content);
  fz_context* context = state_->context.pointer;
  const Failure failure = guarded(context, [&] { fz_register_document_handlers(context); });
  if (failure) throw error_of(failure, "MuPDF");
  open_content(context, path, state_->content, &state_->document, &state_->page_count);
}

Document::~Document() = default;

std::vector<EmbeddedFile> Document::embedded_files() const {
  return pdf::embedded_files(state_->context.pointer, state_->document.pointer);
}

std::string Document::dynamic_form() const {
  return pdf::dynamic_form(state_->context.pointer, state_->document.pointer);
}

DocumentInfo Document::info() const {
  fz_context* context = state_->context.pointer;
  fz_document* document = state_->document.pointer;
  DocumentInfo info;
  info.format = metadata(context, document, FZ_META_FORMAT);
  // MuPDF reports all pictures as "Image"; the first bytes say which kind.
  if (info.format.empty() || info.format == "Image") {
    if (state_->page_count > 0) read_picture_size(context, document, &info);
    const std::string picture = picture_format(state_->path);
    if (!picture.empty()) info.format = picture;
  }
  info.title = metadata(context, document, FZ_META_INFO_TITLE);
  info.page_count = state_->page_count;
  guarded(context, [&] { info.reflowable = fz_is_document_reflowable(context, document) != 0; });
  info.outline = read_outline(context, document);
  return info;
}

RawPage Document::page(int number, std::int64_t max_characters) {
  fz_context* context = state_->context.pointer;
  OwnedPage source(context);
  state_->load(number, &source);
  fz_rect bounds = fz_empty_rect;
  Failure failure = guarded(context, [&] { bounds = fz_bound_page(context, source.pointer); });
  PageContents contents(context);
  TextLimit limit{max_characters};
  if (!failure) failure = run_page(context, source.pointer, bounds, &contents, &limit);
  if (failure) throw error_of(failure, state_->name_of(number) + " cannot be read");

  RawPage page;
  page.number = number;
  page.cut = limit.met();
  read_facts(context, source.pointer, state_->labelled, &page, &bounds);
  const std::vector<TextsOfWord> texts = add_words(context, *contents.text.pointer, &page);
  contents.ink.look_for_covers();
  note_doubts(contents.ink, texts, &page);
  page.rules = to_boxes(contents.vectors.rules);
  page.images = to_boxes(contents.vectors.images);
  page.drawings = to_boxes(contents.vectors.drawings);
  add_drawn_boxes(to_boxes(contents.vectors.squares), &page);
  add_check_boxes(context, source.pointer, {bounds.x0, bounds.y0}, &page);
  add_field_labels(context, source.pointer, {bounds.x0, bounds.y0}, &page);
  add_notes(context, source.pointer, {bounds.x0, bounds.y0}, &page);
  if (lacks_its_picture(metadata(context, state_->document.pointer, FZ_META_FORMAT), page)) {
    throw Error(ErrorCode::damaged, state_->name_of(number) + ": its picture cannot be read");
  }
  return page;
}

void Document::hide_words(RawPage* page) {
  if (page->doubts.empty()) return;
  fz_context* context = state_->context.pointer;
  OwnedPage source(context);
  state_->load(page->number, &source);
  InkPictures pictures(context);
  const Failure failure = draw_ink_pictures(context, source.pointer, *page, &pictures);
  if (failure) throw error_of(failure, state_->name_of(page->number) + " cannot be drawn");
  pdf::hide_words(leave_no_ink(*page, pictures), page);
}

Image Document::raster(int number, double dpi, bool grey, std::int64_t max_pixels) {
  Image image;
  draw(number, {.dpi = dpi, .grey = grey, .max_pixels = max_pixels, .decode_jpeg = {}},
       [&image](int width, int height, int channels) {
         // The buffer is allocated here, because only now is the size known.
         image = {.width = width, .height = height, .channels = channels, .pixels = {}};
         image.pixels.resize(image.stride() * static_cast<std::size_t>(height));
         return image.pixels.data();
       });
  return image;
}

void Document::draw(int number, const Drawing& drawing, const PixelRoom& room) {
  fz_context* context = state_->context.pointer;
  OwnedPage page(context);
  state_->load(number, &page);
  const auto scale_factor = static_cast<float>(drawing.dpi / 72);
  const fz_matrix scale = fz_scale(scale_factor, scale_factor);
  fz_rect bounds = fz_empty_rect;
  fz_irect area = fz_empty_irect;
  Failure failure = guarded(context, [&] {
    bounds = fz_bound_page(context, page.pointer);
    area = fz_round_rect(fz_transform_rect(bounds, scale));
  });
  const std::int64_t width = std::int64_t{area.x1} - area.x0;
  const std::int64_t height = std::int64_t{area.y1} - area.y0;
  if (!failure && (width <= 0 || height <= 0)) {
    throw Error(ErrorCode::damaged, state_->name_of(number) + " has no area");
  }
  // Divides instead of multiplying, because the product may overflow.
  if (!failure && width > drawing.max_pixels / height) {
    throw Error(
        ErrorCode::too_large,
        format("{} is too large to draw: {:.0f} x {:.0f} cm at {} dpi would be "
               "{} x {} pixels; the limit is {} pixels",
               state_->name_of(number), centimetres(bounds.x1 - bounds.x0),
               centimetres(bounds.y1 - bounds.y0), drawing.dpi, width, height, drawing.max_pixels));
  }
  OwnedPixmap pixmap(context);
  if (!failure) {
    const int channels = drawing.grey ? 1 : 3;
    std::uint8_t* pixels = room(static_cast<int>(width), static_cast<int>(height), channels);
    failure = guarded(context, [&] {
      fz_colorspace* space = drawing.grey ? fz_device_gray(context) : fz_device_rgb(context);
      pixmap.pointer = fz_new_pixmap_with_bbox_and_data(context, space, area, nullptr, 0, pixels);
    });
  }
  if (!failure) failure = draw_page(context, page.pointer, {bounds, scale}, drawing, &pixmap);
  if (failure) throw error_of(failure, state_->name_of(number) + " cannot be drawn");
}

}  // namespace fineprint::pdf
