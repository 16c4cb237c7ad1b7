// Reads runs: text, symbols, fields, formulas, marks of notes, and what of it is hidden.
#include "markup/office/run_text.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "fineprint/core/superscripts.h"

#include "markup/office/drawings.h"
#include "markup/office/numbering.h"
#include "markup/office/symbols.h"

namespace fineprint::markup {
namespace {

// Elements whose text is not part of the document (deleted text, field codes, properties, readings
// of characters).
constexpr std::array<std::string_view, 9> kLeftOut = {
    "del", "moveFrom", "instrText", "delText", "delInstrText", "pPr", "rPr", "sdtPr", "rt"};

// Elements of runs that are one character each.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kCharacters = {
    {{"tab", " "}, {"ptab", " "}, {"br", "\n"}, {"cr", "\n"}, {"noBreakHyphen", "-"}}};

std::string symbol_of(const Node& node) {
  const std::string code = attribute(node, "char");
  const unsigned long value = std::strtoul(code.c_str(), nullptr, 16);
  constexpr unsigned long kMost = 0x10FFFF;
  if (value == 0 || value > kMost) return {};
  return symbol_text(attribute(node, "font"), static_cast<char32_t>(value));
}

// Returns the value of a check box or a list of choices, which have no text as their result.
std::string form_value(const Node& field) {
  const Node* data = child(field, "ffData");
  if (data == nullptr) return {};
  if (const Node* box = child(*data, "checkBox")) {
    const Node* checked = child(*box, "checked");
    const auto is_on = on_or_off(checked == nullptr ? child(*box, "default") : checked);
    return is_on.value_or(false) ? "☒" : "☐";
  }
  const Node* choices = child(*data, "ddList");
  if (choices == nullptr) return {};
  const Node* chosen = child(*choices, "result");
  if (chosen == nullptr) chosen = child(*choices, "default");
  const std::vector<const Node*> entries = children(*choices, "listEntry");
  const auto at = static_cast<std::size_t>(chosen == nullptr ? 0 : number_of(*chosen, "val", 0));
  return at < entries.size() ? attribute(*entries[at], "val") : "";
}

// Returns whether properties of a run (may be null) make it white and do not shade it.
bool is_white(const Node* look) {
  const Node* colour = look == nullptr ? nullptr : child(*look, "color");
  if (colour == nullptr || has_shading(look)) return false;
  return is_white_code(attribute(*colour, "val"));
}

}  // namespace

void RunReader::set_notes(const std::string& kind, const std::string& format, int first) {
  notes_[kind].format = format;
  notes_[kind].next = first;
}

std::vector<std::pair<std::string, std::string>> RunReader::notes(const std::string& kind) const {
  const auto found = notes_.find(kind);
  if (found == notes_.end()) return {};
  return found->second.marks;
}

RunText RunReader::read(const Node& paragraph, bool on_white) {
  RunText out;
  on_white_ = on_white && !has_shading(child(paragraph, "pPr"));
  style_ = styles_.of_paragraph(paragraph);
  add(paragraph, &out);
  // A field whose end is missing must not swallow the rest of the document.
  fields_.clear();
  return out;
}

void RunReader::add(const Node& parent, RunText* out) {
  for (const Node* one : children(parent)) {
    if (is_named(*one, "r")) {
      add_run(*one, out);
    } else {
      add_one(*one, &out->text, out);
    }
  }
}

void RunReader::add_run(const Node& run, RunText* out) {
  const Node* look = child(run, "rPr");
  const Node* named = look == nullptr ? nullptr : child(*look, "rStyle");
  const std::string style = named == nullptr ? "" : attribute(*named, "val");
  const std::optional<bool> own =
      look == nullptr ? std::nullopt : on_or_off(child(*look, "vanish"));
  const Node* fonts = look == nullptr ? nullptr : child(*look, "rFonts");
  font_ = fonts == nullptr ? "" : attribute(*fonts, "ascii");
  if (font_.empty()) font_ = styles_.font(style_, style);
  const bool is_unseen = on_white_ && is_white(look) && !styles_.shades(style_, style);
  const bool hidden = is_unseen || own.value_or(styles_.hides(style_, style));
  const std::size_t boxes = out->boxes.size();
  std::string* text = hidden ? &out->hidden : &out->text;
  const std::size_t begin = text->size();
  for (const Node* one : children(run)) add_one(*one, text, out);
  const Node* align = look == nullptr ? nullptr : child(*look, "vertAlign");
  if (align != nullptr && attribute(*align, "val") == "superscript") {
    text->replace(begin, std::string::npos, raised_text(text->substr(begin)));
  }
  if (!hidden) return;
  // What is anchored in a hidden run is not shown either.
  for (std::size_t i = boxes; i < out->boxes.size(); ++i) {
    for (const Node* one : descendants(*out->boxes[i], "t")) out->hidden += " " + text_of(*one);
  }
  out->boxes.resize(boxes);
}

void RunReader::add_one(const Node& one, std::string* text, RunText* out) {
  if (is_named(one, "fldChar")) return follow_field(one, text);
  const bool is_left_out = std::ranges::find(kLeftOut, name_of(one)) != kLeftOut.end();
  if (is_left_out || is_instruction() || is_repeated(one)) return;
  const auto* character =
      std::ranges::find(kCharacters, name_of(one), [](const auto& known) { return known.first; });
  if (character != kCharacters.end()) {
    *text += character->second;
  } else if (is_named(one, "t")) {
    *text += symbols_translated(font_, text_of(one));
  } else if (is_named(one, "sym")) {
    *text += symbol_of(one);
  } else if (is_named(one, "oMath")) {
    *text += math_text(one);
  } else if (is_named(one, "footnoteReference")) {
    *text += note_mark(one, "footnote");
  } else if (is_named(one, "endnoteReference")) {
    *text += note_mark(one, "endnote");
  } else if (is_named(one, "txbxContent")) {
    out->boxes.push_back(&one);
  } else if (is_hidden_shape(one)) {
    for (const Node* inner : descendants(one, "t")) out->hidden += " " + text_of(*inner);
  } else if (text == &out->text) {
    add(one, out);
  } else {
    for (const Node* inner : children(one)) add_one(*inner, text, out);
  }
}

void RunReader::follow_field(const Node& mark, std::string* text) {
  const std::string type = attribute(mark, "fldCharType");
  if (type == "begin") {
    if (!is_instruction()) *text += form_value(mark);
    fields_.push_back({});
  }
  if (fields_.empty()) return;
  if (type == "separate") fields_.back().in_result = true;
  if (type == "end") fields_.pop_back();
}

bool RunReader::is_instruction() const {
  return std::ranges::any_of(fields_, [](const Field& field) { return !field.in_result; });
}

std::string RunReader::note_mark(const Node& reference, const std::string& kind) {
  Notes& notes = notes_[kind];
  // The author's own mark follows as text.
  const std::string follows = attribute(reference, "customMarkFollows");
  const bool has_own = follows == "1" || follows == "true";
  const std::string mark = has_own ? "" : "[" + formatted_number(notes.next++, notes.format) + "]";
  notes.marks.emplace_back(attribute(reference, "id"), mark);
  return mark.empty() ? " " : " " + mark;
}

}  // namespace fineprint::markup
