// Walks over the widgets and annotations of a page.
#include "pdf/annotations.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <mupdf/pdf.h>

#include "pdf/tick_boxes.h"

namespace fineprint::pdf {
namespace {

constexpr std::size_t kMostBoxes = 2000;  // more are not a form
constexpr std::size_t kMostNotes = 500;
constexpr std::size_t kMostNoteBytes = 10'000;

Box placed(fz_rect rect, fz_point origin) {
  return {rect.x0 - origin.x, rect.y0 - origin.y, rect.x1 - origin.x, rect.y1 - origin.y};
}

bool is_unseen(fz_context* context, pdf_annot* annot) {
  return (pdf_annot_flags(context, annot) & (PDF_ANNOT_IS_HIDDEN | PDF_ANNOT_IS_NO_VIEW)) != 0;
}

// The state that is shown; without one, the field's value. "Off" is the only name for an empty box.
bool is_ticked(fz_context* context, pdf_annot* widget) {
  pdf_obj* object = pdf_annot_obj(context, widget);
  pdf_obj* state = pdf_dict_get(context, object, PDF_NAME(AS));
  if (state == nullptr) state = pdf_dict_get_inheritable(context, object, PDF_NAME(V));
  return pdf_is_name(context, state) != 0 && pdf_name_eq(context, state, PDF_NAME(Off)) == 0;
}

std::vector<TickBox> form_boxes(fz_context* context, fz_page* source, fz_point origin) {
  std::vector<TickBox> boxes;
  guarded(context, [&] {
    pdf_page* page = pdf_page_from_fz_page(context, source);
    if (page == nullptr) return;
    for (pdf_annot* widget = pdf_first_widget(context, page);
         widget != nullptr && boxes.size() < kMostBoxes;
         widget = pdf_next_widget(context, widget)) {
      const enum pdf_widget_type type = pdf_widget_type(context, widget);
      if (type != PDF_WIDGET_TYPE_CHECKBOX && type != PDF_WIDGET_TYPE_RADIOBUTTON) continue;
      if (is_unseen(context, widget)) continue;
      boxes.push_back(
          {placed(pdf_bound_widget(context, widget), origin), is_ticked(context, widget)});
    }
  });
  return boxes;
}

// Returns whether the text of an annotation of this type is not drawn on the page.
bool is_comment(enum pdf_annot_type type) {
  switch (type) {
    case PDF_ANNOT_TEXT:
    case PDF_ANNOT_HIGHLIGHT:
    case PDF_ANNOT_UNDERLINE:
    case PDF_ANNOT_SQUIGGLY:
    case PDF_ANNOT_STRIKE_OUT:
    case PDF_ANNOT_CARET:
      return true;
    default:
      return false;
  }
}

}  // namespace

void add_check_boxes(fz_context* context, fz_page* source, fz_point origin, RawPage* page) {
  const Box all{0, 0, page->width_pt, page->height_pt};
  for (const TickBox& one : form_boxes(context, source, origin)) {
    if (!intersected(one.box, all).empty()) put_box(one, page);
  }
}

void add_notes(fz_context* context, fz_page* source, fz_point origin, RawPage* page) {
  guarded(context, [&] {
    pdf_page* as_pdf = pdf_page_from_fz_page(context, source);
    if (as_pdf == nullptr) return;
    for (pdf_annot* annot = pdf_first_annot(context, as_pdf);
         annot != nullptr && page->notes.size() < kMostNotes;
         annot = pdf_next_annot(context, annot)) {
      if (!is_comment(pdf_annot_type(context, annot)) || is_unseen(context, annot)) continue;
      const char* contents = pdf_annot_contents(context, annot);
      if (contents == nullptr || *contents == '\0') continue;
      page->notes.push_back({placed(pdf_bound_annot(context, annot), origin),
                             std::string(contents, strnlen(contents, kMostNoteBytes))});
    }
  });
}

}  // namespace fineprint::pdf
