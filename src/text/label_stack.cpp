// Recognises labels above their values by how the two are set, and labels below them by
// parentheses.
#include "text/label_stack.h"

#include <optional>
#include <set>
#include <string>

#include "text/label_number.h"

namespace fineprint::text {
namespace {

// In font sizes.
constexpr float kStackGap = 1.2F;    // white between a label and the value below it
constexpr float kMostIndent = 4.5F;  // of a value below its label
constexpr float kSmaller = 0.9F;     // size of a word in parentheses that is a label
constexpr std::size_t kMostStackedLabel = 6;
constexpr std::size_t kMostBelowWords = 18;  // of a label in parentheses

bool overlap_across(const Box& a, const Box& b) { return a.x0 < b.x1 && b.x0 < a.x1; }

// A label and the lines of its value.
struct Stack {
  LabelPiece label, value;
  std::size_t end = 0;
};

bool starts_list(const LabelPage& on, const LabelPiece& piece) {
  static const std::set<std::string> kBullets = {"•", "-", "–", "*", "▪", "‣"};
  return kBullets.contains(on.word(piece.words.first));
}

std::optional<Stack> stack_at(const LabelPage& on, std::size_t at) {
  const LabelPiece* label = on.single(at);
  const LabelPiece* value = on.single(at + 1);
  if (label == nullptr || value == nullptr || !on.is_label(*label) || value->colons > 0 ||
      label->words.count() > kMostStackedLabel || label->words.end != value->words.first ||
      !on.is_close_below(at, at + 1, kStackGap) || starts_list(on, *value)) {
    return std::nullopt;
  }
  const float indent = value->box.x0 - label->box.x0;
  if (!overlap_across(label->box, value->box) &&
      (indent < 0 || indent > kMostIndent * label->size_pt)) {
    return std::nullopt;
  }
  Stack stack{*label, *value, at + 2};
  while (stack.end < at + 2 + kMostWraps) {
    const LabelPiece* more = on.single(stack.end);
    if (more == nullptr || !on.continues_value(stack.value, *more, stack.end - 1, stack.end)) {
      break;
    }
    stack.value.words.end = more->words.end;
    ++stack.end;
  }
  if (stack.value.words.count() > kMostStackedWords) return std::nullopt;
  return stack;
}

// Returns whether label and value differ in look, or the value is set to the right. A label that
// is larger than its value is a heading.
bool stands_out(const Stack& stack) {
  if (stack.label.size_pt > 1.1F * stack.value.size_pt) return false;
  const float indent = stack.value.box.x0 - stack.label.box.x0;
  return look_different(stack.label, stack.value) || indent > 0.9F * stack.label.size_pt;
}

bool are_alike(const Stack& a, const Stack& b) {
  return !look_different(a.label, b.label) && !look_different(a.value, b.value) &&
         is_aligned(a.label.box, b.label.box, a.label.size_pt);
}

bool is_one_code(const LabelPage& on, const LabelPiece& piece) {
  return piece.words.count() == 1 && is_code(on.word(piece.words.first));
}

// Matches "(State of", but not "(in millions)" and not "(1)". A single word must be set smaller
// than the value: "(Manufacturer)".
bool begins_label_below(const LabelPage& on, const LabelPiece& piece, const LabelPiece& value) {
  const std::string& text = on.word(piece.words.first);
  if (text.size() < 2 || text[0] != '(') return false;
  if (piece.words.count() < 2 && piece.size_pt > kSmaller * value.size_pt) return false;
  return text[1] >= 'A' && text[1] <= 'Z' && !piece.is_number;
}

}  // namespace

std::size_t add_stacked(const LabelPage& on, std::size_t at, std::vector<LabelPair>* pairs) {
  std::vector<Stack> stacks;
  std::size_t next = at;
  while (const std::optional<Stack> stack = stack_at(on, next)) {
    const bool fits =
        stack->label.ends_with_colon || (stands_out(*stack) && !stack->label.has_digit &&
                                         (stacks.empty() || are_alike(stacks.front(), *stack)));
    if (!fits) break;
    stacks.push_back(*stack);
    next = stack->end;
  }
  const bool is_sure = !stacks.empty() && (stacks.size() > 1 || stacks[0].label.ends_with_colon ||
                                           is_one_code(on, stacks[0].value));
  if (!is_sure) return at;
  for (const Stack& stack : stacks) pairs->push_back({stack.label.words, stack.value.words});
  return next;
}

std::size_t add_above_label(const LabelPage& on, std::size_t at, std::vector<LabelPair>* pairs) {
  const LabelPiece* value = on.single(at);
  const LabelPiece* first = on.single(at + 1);
  if (value == nullptr || first == nullptr || !on.is_close_below(at, at + 1, kStackGap) ||
      !begins_label_below(on, *first, *value) || value->words.end != first->words.first ||
      value->words.count() > kMostStackedWords || !overlap_across(value->box, first->box)) {
    return at;
  }
  LabelPiece label = *first;
  std::size_t next = at + 2;
  while (!on.word(label.words.end - 1).ends_with(')') && next < at + 2 + kMostWraps) {
    const LabelPiece* more = on.single(next);
    if (more == nullptr || more->words.first != label.words.end) return at;
    label.words.end = more->words.end;
    ++next;
  }
  if (!on.word(label.words.end - 1).ends_with(')') || label.words.count() > kMostBelowWords) {
    return at;
  }
  pairs->push_back({label.words, value->words});
  return next;
}
}  // namespace fineprint::text
