// Walks over the widgets and annotations of a page.
#include "pdf/annotations.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <mupdf/pdf.h>

namespace fineprint::pdf {
namespace {

constexpr std::size_t kMostBoxes = 2000;  // more are not a form
constexpr std::size_t kMostNotes = 500;
constexpr std::size_t kMostNoteBytes = 10'000;

struct FormBox {
  Box box;
  bool ticked = false;
};

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

std::vector<FormBox> form_boxes(fz_context* context, fz_page* source, fz_point origin) {
  std::vector<FormBox> boxes;
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

// Removes the words that are drawn in the box: "X", or the tick of ZapfDingbats, which reads "4".
void clear_box(const Box& box, RawPage* page) {
  for (std::size_t i = page->words.size(); i-- > 0;) {
    const Word& word = page->words[i];
    const float x = (word.box.x0 + word.box.x1) / 2, y = (word.box.y0 + word.box.y1) / 2;
    if (word.text.size() > 4 || x < box.x0 || x > box.x1 || y < box.y0 || y > box.y1) continue;
    const auto at = static_cast<std::ptrdiff_t>(i);
    page->words.erase(page->words.begin() + at);
    page->line_of_word.erase(page->line_of_word.begin() + at);
    page->block_of_word.erase(page->block_of_word.begin() + at);
    std::erase_if(page->doubts, [i](const DoubtfulWord& doubt) { return doubt.word == i; });
    for (DoubtfulWord& doubt : page->doubts) {
      if (doubt.word > i) --doubt.word;
    }
  }
}

void put_box(const FormBox& one, RawPage* page) {
  clear_box(one.box, page);
  Word word;
  word.text = one.ticked ? "\u2612" : "\u2610";
  word.box = one.box;
  word.size_pt = one.box.height();
  page->words.push_back(std::move(word));
  const auto next = [](const std::vector<std::uint32_t>& of_word) {
    return of_word.empty() ? 0 : *std::ranges::max_element(of_word) + 1;
  };
  page->line_of_word.push_back(next(page->line_of_word));
  page->block_of_word.push_back(next(page->block_of_word));
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
  for (const FormBox& one : form_boxes(context, source, origin)) {
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
