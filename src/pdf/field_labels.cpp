// Source: ISO 32000-2, 12.7.4.1: TU is the name that people see.
#include "pdf/field_labels.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <mupdf/pdf.h>

namespace fineprint::pdf {
namespace {

constexpr std::size_t kMostFields = 2000;
constexpr std::size_t kMostFieldBytes = 10'000;
constexpr float kFarLeft = 250;    // points between a field and a text that is its label
constexpr float kGapAbove = 1.2F;  // the same above it, in heights of the text

struct LabelledField {
  Box box;
  std::string label;  // empty: none in the file
  std::string value;  // empty: nothing is filled in
  bool is_box = false;
};

Box moved(fz_rect rect, fz_point origin) {
  return {rect.x0 - origin.x, rect.y0 - origin.y, rect.x1 - origin.x, rect.y1 - origin.y};
}

std::string short_text(const char* text) {
  return text == nullptr ? std::string() : std::string(text, strnlen(text, kMostFieldBytes));
}

bool is_kind_with_value(enum pdf_widget_type type) {
  return type == PDF_WIDGET_TYPE_TEXT || type == PDF_WIDGET_TYPE_COMBOBOX ||
         type == PDF_WIDGET_TYPE_LISTBOX;
}

// Returns the sign of a box as add_check_boxes has written it, or "" if there is none.
std::string sign_in(const Box& box, const RawPage& page) {
  for (const Word& word : page.words) {
    if (word.box == box && (word.text == "\u2610" || word.text == "\u2612")) return word.text;
  }
  return {};
}

void collect_fields(fz_context* context, pdf_page* page, fz_point origin, const RawPage& words,
                    std::vector<LabelledField>* fields) {
  for (pdf_annot* widget = pdf_first_widget(context, page);
       widget != nullptr && fields->size() < kMostFields;
       widget = pdf_next_widget(context, widget)) {
    const enum pdf_widget_type type = pdf_widget_type(context, widget);
    const bool hidden =
        (pdf_annot_flags(context, widget) & (PDF_ANNOT_IS_HIDDEN | PDF_ANNOT_IS_NO_VIEW)) != 0;
    if (hidden) continue;
    const bool is_box = type == PDF_WIDGET_TYPE_CHECKBOX || type == PDF_WIDGET_TYPE_RADIOBUTTON;
    // MuPDF may leave by longjmp, so all its calls come before any text is made.
    pdf_obj* object = pdf_annot_obj(context, widget);
    const fz_rect rect = pdf_bound_widget(context, widget);
    pdf_obj* name = pdf_dict_get_inheritable(context, object, PDF_NAME(TU));
    const char* label = name == nullptr ? nullptr : pdf_to_text_string(context, name);
    const bool is_secret = (pdf_field_flags(context, object) & PDF_TX_FIELD_IS_PASSWORD) != 0;
    const bool has_text = is_kind_with_value(type) && !is_secret;
    const char* value = has_text ? pdf_annot_field_value(context, widget) : nullptr;
    LabelledField field{moved(rect, origin), short_text(label), short_text(value), is_box};
    if (is_box) field.value = sign_in(field.box, words);
    fields->push_back(std::move(field));
  }
}

bool is_within(const Box& word, const Box& field) {
  const float x = (word.x0 + word.x1) / 2, y = (word.y0 + word.y1) / 2;
  return field.x0 <= x && x <= field.x1 && field.y0 <= y && y <= field.y1;
}

// Returns whether the word is where the label of a field is: to its left, above it, or, for a box
// to tick, to its right.
bool is_beside(const Box& word, const LabelledField& field) {
  const Box& box = field.box;
  const float shared = std::min(word.y1, box.y1) - std::max(word.y0, box.y0);
  if (2 * shared > std::min(word.height(), box.height())) {
    const bool left = word.x1 <= box.x0 + 2 && box.x0 - word.x1 < kFarLeft;
    const bool right = field.is_box && word.x0 >= box.x1 - 2 && word.x0 - box.x1 < kFarLeft;
    return left || right;
  }
  const bool overlaps = word.x0 < box.x1 && box.x0 < word.x1;
  return overlaps && word.y1 <= box.y0 + 2 && box.y0 - word.y1 < kGapAbove * word.height();
}

bool has_text_beside(const LabelledField& field, const std::vector<LabelledField>& fields,
                     const RawPage& page) {
  return std::ranges::any_of(page.words, [&](const Word& word) {
    return is_beside(word.box, field) &&
           std::ranges::none_of(
               fields, [&](const LabelledField& one) { return is_within(word.box, one.box); });
  });
}

// A frame may be drawn half a line outside of its field.
bool is_frame(const Box& drawing, const Box& field) {
  constexpr float kLine = 2;  // points
  return drawing.x0 >= field.x0 - kLine && drawing.x1 <= field.x1 + kLine &&
         drawing.y0 >= field.y0 - kLine && drawing.y1 <= field.y1 + kLine;
}

}  // namespace

void add_field_labels(fz_context* context, fz_page* source, fz_point origin, RawPage* page) {
  std::vector<LabelledField> fields;
  guarded(context, [&] {
    pdf_page* as_pdf = pdf_page_from_fz_page(context, source);
    if (as_pdf != nullptr) collect_fields(context, as_pdf, origin, *page, &fields);
  });
  std::erase_if(page->drawings, [&](const Box& drawing) {
    return std::ranges::any_of(
        fields, [&](const LabelledField& field) { return is_frame(drawing, field.box); });
  });
  for (LabelledField& field : fields) {
    if (field.label.empty() || field.value.empty() || has_text_beside(field, fields, *page)) {
      continue;
    }
    field.label.erase(field.label.find_last_not_of(" :\t\r\n") + 1);
    page->notes.push_back({field.box, field.label + ": " + field.value});
  }
}

}  // namespace fineprint::pdf
