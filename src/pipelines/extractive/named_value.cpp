// Finds labels on pages, and the values that belong to them.
#include "fineprint/pipelines/named_value.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "fineprint/core/unicode.h"

#include "pipelines/extractive/amounts.h"
#include "pipelines/extractive/printed_pieces.h"

namespace fineprint::pipelines {
namespace {

using extractive::has_digit;
using extractive::PrintedPiece;
using extractive::PrintedRow;
using extractive::text_of_words;

using Words = std::vector<std::uint32_t>;

// How a value is linked to its label, the surest last.
enum class Link : std::uint8_t { below, beside, marked };

constexpr double kConfidence[] = {0.9, 0.95, 0.98};  // of each link
constexpr float kMostBelow = 2.2F;  // white between a label and the value below it, in font sizes
constexpr std::size_t kMostLabelWords = 8;

// A value that a label may have.
struct LinkedValue {
  Link link = Link::below;
  std::string printed;
  std::string same;
  const Page* page = nullptr;
  Words label, value;
};

// Returns the letters and digits of a text, folded.
std::string packed(std::string_view text) {
  const std::string folded = fold(text);
  std::string kept;
  for (std::size_t at = 0; at < folded.size();) {
    const char32_t c = next_code_point(folded, &at);
    if (is_letter_or_digit(c) || c == '%') append_utf8(c, &kept);
  }
  return kept;
}

// The words of a piece that are the label, what follows them in brackets, and the rest.
struct LabelledPiece {
  Words label;
  std::string note;  // "(kg)"; empty if there is none
  Words rest;
  bool has_colon = false;
};

class PageReader {
 public:
  // `known` are the packed labels of the demand, which must outlive the reader, as it must.
  PageReader(const Page& page, const NamedDemand& demand, const std::set<std::string>& known)
      : page_(page), demand_(demand), known_(known), rows_(extractive::printed_rows(page)) {}

  void find(const std::string& label, std::vector<LinkedValue>* found) const {
    const std::string wanted = packed(label);
    if (wanted.empty()) return;
    const bool has_sign = label.find('#') != std::string::npos;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      for (std::size_t at = 0; at < rows_[row].pieces.size(); ++at) {
        const auto piece = labelled(rows_[row].pieces[at], wanted);
        // "Invoice #" is a label, and "INVOICE" is a title.
        if (piece &&
            (!has_sign || text_of_words(page_, piece->label).find('#') != std::string::npos)) {
          add_values(*piece, row, at, found);
        }
      }
    }
  }

 private:
  const std::string& word(std::uint32_t index) const { return page_.words[index].text; }

  std::optional<LabelledPiece> labelled(const PrintedPiece& piece,
                                        const std::string& wanted) const {
    std::string begun;
    const std::size_t most = std::min(piece.words.size(), kMostLabelWords);
    for (std::size_t count = 1; count <= most; ++count) {
      begun += packed(word(piece.words[count - 1]));
      if (begun.size() > wanted.size()) return std::nullopt;
      const bool goes_on = count < piece.words.size() && packed(word(piece.words[count])).empty();
      if (begun == wanted && !goes_on) return divided(piece, count);
    }
    return std::nullopt;
  }

  LabelledPiece divided(const PrintedPiece& piece, std::size_t count) const {
    LabelledPiece parts;
    const auto end_of_label = piece.words.begin() + static_cast<std::ptrdiff_t>(count);
    parts.label.assign(piece.words.begin(), end_of_label);
    parts.rest.assign(end_of_label, piece.words.end());
    // A note ends with the word that closes its bracket.
    std::size_t noted = 0;
    if (!parts.rest.empty() && (word(parts.rest[0])[0] == '(' || word(parts.rest[0])[0] == '[')) {
      while (noted < parts.rest.size() && !closes(word(parts.rest[noted]))) ++noted;
      noted = std::min(noted + 1, parts.rest.size());
    }
    if (noted == 0 && is_currency_note(parts.rest)) noted = 1;
    const auto end_of_note = parts.rest.begin() + static_cast<std::ptrdiff_t>(noted);
    const Words note(parts.rest.begin(), end_of_note);
    parts.note = text_of_words(page_, note);
    parts.label.insert(parts.label.end(), note.begin(), note.end());
    parts.rest.erase(parts.rest.begin(), end_of_note);
    parts.has_colon = word(parts.label.back()).ends_with(':');
    return parts;
  }

  // Returns whether the words are one that makes a number an amount: the "GBP" of "Total GBP".
  bool is_currency_note(const Words& rest) const {
    return demand_.is_amount && rest.size() == 1 && !has_digit(word(rest[0])) &&
           form(word(rest[0])) == ValueForm::none && form("1 " + word(rest[0])) != ValueForm::none;
  }

  static bool closes(const std::string& text) {
    const std::size_t last = text.find_last_not_of(":.");
    return last != std::string::npos && (text[last] == ')' || text[last] == ']');
  }

  // What the text says if the label's note is a unit: "12.5" under "Weight (kg)" is "12.5 kg".
  std::string with_note(const std::string& text, const std::string& note) const {
    if (note.empty() || demand_.is_text) return text;
    std::string unit;
    for (const char c : note) {
      if (std::string_view("()[]:").find(c) == std::string_view::npos) unit += c;
    }
    const std::string longer = text + " " + unit;
    return form(longer) == ValueForm::none ? text : longer;
  }

  ValueForm form(const std::string& text) const { return demand_.form(text, page_.language); }

  // Returns the words, or those at their beginning that have a form which nothing else has, if only
  // words follow: "04.07.2025 without discount", but not "04.07. to 10.07.2025".
  Words value_in(const Words& words, const std::string& note) const {
    if (demand_.is_text || form(with_note(text_of_words(page_, words), note)) != ValueForm::none) {
      return words;
    }
    for (std::size_t count = words.size() - 1; count > 0; --count) {
      if (has_digit(word(words[count]))) break;
      const Words first(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(count));
      const bool goes_on = packed(word(words[count])).empty();  // a dash: a range
      if (!goes_on && form(text_of_words(page_, first)) == ValueForm::clear) return first;
    }
    return words;
  }

  // A label of something else is no value.
  bool is_label(const PrintedPiece& piece) const {
    const std::string text = text_of_words(page_, piece.words);
    return text.ends_with(':') || known_.contains(packed(text));
  }

  void add(Link link, const LabelledPiece& label, const Words& value,
           std::vector<LinkedValue>* found) const {
    const std::string printed = with_note(text_of_words(page_, value), label.note);
    found->push_back({.link = link,
                      .printed = printed,
                      .same = demand_.same(printed, page_.language),
                      .page = &page_,
                      .label = label.label,
                      .value = value});
  }

  void add_values(const LabelledPiece& label, std::size_t row, std::size_t at,
                  std::vector<LinkedValue>* found) const {
    if (!label.rest.empty()) return add_rest(label, found);
    const std::optional<Words> beside = value_beside(label, row, at);
    const std::optional<Words> below = value_below(label, row, at);
    if (beside && below && !label.has_colon && demand_.is_text) {
      // Heads of columns are next to each other, and so are a label and its value.
      const bool digits_beside = has_digit(text_of_words(page_, *beside));
      const bool digits_below = has_digit(text_of_words(page_, *below));
      if (digits_beside == digits_below) return;
      return digits_beside ? add(Link::beside, label, *beside, found)
                           : add(Link::below, label, *below, found);
    }
    if (beside) return add(label.has_colon ? Link::marked : Link::beside, label, *beside, found);
    if (below) add(Link::below, label, *below, found);
  }

  // Of "Invoice no. 4711" the rest is the value if it has the form of one.
  void add_rest(const LabelledPiece& label, std::vector<LinkedValue>* found) const {
    const std::string text = text_of_words(page_, label.rest);
    const bool fits =
        demand_.is_text ? label.rest.size() == 1 && has_digit(text) : form(text) != ValueForm::none;
    if (fits) add(Link::beside, label, label.rest, found);
  }

  // Returns the value to the right of a label: of numbers the only one up to the next label.
  std::optional<Words> value_beside(const LabelledPiece& label, std::size_t row,
                                    std::size_t at) const {
    const std::vector<PrintedPiece>& pieces = rows_[row].pieces;
    std::vector<Words> plain, clear;
    for (std::size_t i = at + 1; i < pieces.size() && !is_label(pieces[i]); ++i) {
      const Words words = value_in(pieces[i].words, label.note);
      const ValueForm fit = form(with_note(text_of_words(page_, words), label.note));
      if (fit == ValueForm::clear) clear.push_back(words);
      if (fit == ValueForm::plain) plain.push_back(words);
      if (demand_.is_text) break;  // words further right belong to something else
    }
    const auto& fitting = clear.empty() ? plain : clear;
    if (fitting.size() != 1) return std::nullopt;
    if (demand_.is_text && !label.has_colon && !differs(pieces[at], pieces[at + 1]) &&
        !is_in_sheet(row, at)) {
      return std::nullopt;
    }
    return fitting.front();
  }

  // Whether the page shows that the second piece is the value of the first.
  bool differs(const PrintedPiece& label, const PrintedPiece& value) const {
    constexpr float kLarger = 1.1F;  // of a value that is set in another size
    return label.bold != value.bold || value.size_pt > kLarger * label.size_pt ||
           has_digit(text_of_words(page_, value.words));
  }

  // Whether the row above or below has another label and its value in the same two places.
  bool is_in_sheet(std::size_t row, std::size_t at) const {
    constexpr float kSamePlace = 2;  // points
    const auto is_at = [](const PrintedPiece& a, const PrintedPiece& b) {
      return std::abs(a.box.x0 - b.box.x0) <= kSamePlace;
    };
    const std::vector<PrintedPiece>& own = rows_[row].pieces;
    const auto has_pair = [&](const PrintedRow& other) {
      for (std::size_t i = 0; i + 1 < other.pieces.size(); ++i) {
        if (is_label(other.pieces[i]) && is_at(other.pieces[i], own[at]) &&
            is_at(other.pieces[i + 1], own[at + 1])) {
          return true;
        }
      }
      return false;
    };
    return (row > 0 && has_pair(rows_[row - 1])) ||
           (row + 1 < rows_.size() && has_pair(rows_[row + 1]));
  }

  // Returns the piece below a label, unless others follow it: that is a column of a table.
  std::optional<Words> value_below(const LabelledPiece& label, std::size_t row,
                                   std::size_t at) const {
    const PrintedPiece& head = rows_[row].pieces[at];
    const auto [value, value_row] = piece_below(head, row);
    if (value == nullptr || is_label(*value)) return std::nullopt;
    const ValueForm fit = form(with_note(text_of_words(page_, value->words), label.note));
    if (fit == ValueForm::none) return std::nullopt;
    if (demand_.is_text && !differs(head, *value)) return std::nullopt;
    if (demand_.is_amount && is_item(rows_[value_row])) return std::nullopt;
    const auto [next, next_row] = piece_below(*value, value_row);
    const bool is_column =
        next != nullptr && !is_label(*next) &&
        form(with_note(text_of_words(page_, next->words), label.note)) != ValueForm::none;
    if (is_column) return std::nullopt;
    return value->words;
  }

  // Whether a row names a thing and its figures: a row of a table, even if it is the only one.
  bool is_item(const PrintedRow& row) const {
    const auto figures = std::ranges::count_if(row.pieces, [&](const PrintedPiece& piece) {
      return has_digit(text_of_words(page_, piece.words));
    });
    const bool begins_with_words = !has_digit(word(row.pieces.front().words.front()));
    return figures >= 2 && begins_with_words;
  }

  // Returns the nearest piece below that shares a part of the width, and its row.
  std::pair<const PrintedPiece*, std::size_t> piece_below(const PrintedPiece& upper,
                                                          std::size_t row) const {
    for (std::size_t i = row + 1; i < rows_.size(); ++i) {
      for (const PrintedPiece& piece : rows_[i].pieces) {
        const bool shares = piece.box.x0 < upper.box.x1 && upper.box.x0 < piece.box.x1;
        if (!shares || piece.box.y0 < upper.box.y1 - upper.size_pt / 2) continue;
        if (piece.box.y0 - upper.box.y1 > kMostBelow * upper.size_pt) return {nullptr, 0};
        return {&piece, i};
      }
    }
    return {nullptr, 0};
  }

  const Page& page_;
  const NamedDemand& demand_;
  const std::set<std::string>& known_;
  const std::vector<PrintedRow> rows_;
};

// Returns one of the surest values if they are all the same.
const LinkedValue* the_only(const std::vector<LinkedValue>& found) {
  const LinkedValue* best = nullptr;
  for (const LinkedValue& one : found) {
    if (best == nullptr || one.link > best->link) best = &one;
  }
  const bool differs = std::ranges::any_of(found, [&](const LinkedValue& one) {
    return one.link == best->link && one.same != best->same;
  });
  return differs ? nullptr : best;
}

NamedValue named_by(const LinkedValue& value, const std::string& doc) {
  Citation proof;
  proof.page = {doc, value.page->number};
  proof.quote =
      text_of_words(*value.page, value.label) + " " + text_of_words(*value.page, value.value);
  for (const Words* words : {&value.label, &value.value}) {
    Box box;
    for (const std::uint32_t index : *words) box = united(box, value.page->words[index].box);
    proof.boxes.push_back(box);
  }
  return {.printed = value.printed,
          .proof = std::move(proof),
          .confidence = kConfidence[static_cast<std::size_t>(value.link)]};
}

}  // namespace

std::optional<NamedValue> named_value(const std::vector<Page>& pages, const std::string& doc,
                                      const NamedDemand& demand) {
  std::set<std::string> known;
  for (const auto* labels : {&demand.labels, &demand.other_labels}) {
    for (const std::string& label : *labels) known.insert(packed(label));
  }
  std::vector<PageReader> readers;
  readers.reserve(pages.size());
  for (const Page& page : pages) readers.emplace_back(page, demand, known);
  for (const std::string& label : demand.labels) {
    std::vector<LinkedValue> found;
    for (const PageReader& reader : readers) reader.find(label, &found);
    if (found.empty()) continue;
    const LinkedValue* value = the_only(found);
    if (value == nullptr) return std::nullopt;
    return named_by(*value, doc);
  }
  return std::nullopt;
}

}  // namespace fineprint::pipelines
