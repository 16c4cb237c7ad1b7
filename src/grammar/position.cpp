// Steps through a program, and the cost of ending it from any position.
#include "grammar/position.h"

#include <algorithm>

namespace fineprint::grammar {
namespace {

// After an item: another one if the array may hold more, the closing bracket if it holds enough.
void end_item(const Program& program, const ProgramStep& step, const Position& from,
              Positions* out) {
  const ProgramArray& array = program.array(step.array);
  Position next = from;
  const std::size_t items = ++next.items[array.depth];
  if (items < array.max_items) enter(program, array.comma, next, out);
  if (items >= array.min_items) enter(program, array.close, next, out);
}

void begin_array(const Program& program, const ProgramStep& step, const Position& from,
                 Positions* out) {
  const ProgramArray& array = program.array(static_cast<std::int32_t>(step.next));
  Position next = from;
  next.items[array.depth] = 0;
  if (array.max_items > 0) enter(program, array.item, next, out);
  if (array.min_items == 0) enter(program, array.close, next, out);
}

// At most one blank at a place, because a model under a constraint may otherwise write blanks until
// its tokens run out.
bool takes_blank(const ProgramStep& step, const Position& position) {
  if (position.had_blank) return false;
  if (step.kind == StepKind::number) return step.blank_before && position.number.is_empty();
  return (position.at == 0 && step.blank_before) || (position.at == 1 && step.blank_inside);
}

void advance_literal(const Program& program, const ProgramStep& step, const Position& position,
                     std::uint8_t byte, Positions* out) {
  if (static_cast<std::uint8_t>(step.bytes[position.at]) != byte) return;
  if (position.at + 1 == step.bytes.size()) return enter(program, step.next, position, out);
  Position& next = out->emplace_back(position);
  next.had_blank = false;
  ++next.at;
}

void advance_string(const Program& program, const ProgramStep& step, const Position& position,
                    std::uint8_t byte, Positions* out) {
  const StringPoint point = next_point(position.point, byte);
  if (point == StringPoint::dead) return;
  if (point == StringPoint::closed) return enter(program, step.next, position, out);
  // Only the first byte of a character counts against maxLength, which is in code points.
  const bool begins = begins_character(position.point, point);
  if (begins && position.at == 0) return;
  Position& next = out->emplace_back(position);
  next.point = point;
  if (begins) --next.at;
}

// Nothing marks the end of a number, so a complete one may go on or end: the positions after it are
// added as well.
void advance_number(const Program& program, const ProgramStep& step, const Position& position,
                    std::uint8_t byte, Positions* out) {
  Position next = position;
  if (!add_byte(byte, step.numbers, &next.number)) return;
  out->push_back(next);
  if (bytes_to_number(next.number, step.numbers) == 0) enter(program, step.next, next, out);
}

// Returns the cost from the end of the step at `position` to the end of the reply: the rest of the
// innermost item, then the missing items and the end of each enclosing array.
std::uint32_t cost_after(const Program& program, const Position& position) {
  const ProgramStep& step = program[position.step];
  std::uint32_t cost = program[step.next].cost;
  for (std::int32_t index = step.array; index >= 0;) {
    const ProgramArray& array = program.array(index);
    cost += program.cost_after_item(array, position.items[array.depth] + std::size_t{1});
    index = array.outer;
  }
  return cost;
}

}  // namespace

void enter(const Program& program, std::uint32_t step, const Position& from, Positions* out) {
  const ProgramStep& entered = program[step];
  switch (entered.kind) {
    case StepKind::choice:
      for (const std::uint32_t target : entered.targets) enter(program, target, from, out);
      return;
    case StepKind::array_begin:
      return begin_array(program, entered, from, out);
    case StepKind::array_end_of_item:
      return end_item(program, entered, from, out);
    default:
      break;
  }
  Position& position = out->emplace_back();
  position.step = step;
  position.at = entered.kind == StepKind::string ? entered.max_length : 0;
  position.items = from.items;
}

void advance(const Program& program, const Position& position, std::uint8_t byte, Positions* out) {
  const ProgramStep& step = program[position.step];
  if (step.kind == StepKind::end) return;
  if (step.kind == StepKind::string) return advance_string(program, step, position, byte, out);
  // A literal may itself contain a blank; the optional one is tried first and only where it is
  // allowed.
  if (byte == ' ' && takes_blank(step, position)) {
    out->emplace_back(position).had_blank = true;
  } else if (step.kind == StepKind::literal) {
    advance_literal(program, step, position, byte, out);
  } else {
    advance_number(program, step, position, byte, out);
  }
}

std::uint32_t cost_after_string(const Program& program, const Position& position) {
  return cost_after(program, position);
}

std::uint32_t cost_to_end(const Program& program, const TokenTrie& trie, const Position& position) {
  const ProgramStep& step = program[position.step];
  switch (step.kind) {
    case StepKind::literal:
      return step.cost_at[position.at] + cost_after(program, position);
    case StepKind::string:
      return trie.cost_of(position.point) + 1 + cost_after(program, position);
    case StepKind::number:
      return bytes_to_number(position.number, step.numbers) + cost_after(program, position);
    default:
      return 0;
  }
}

std::uint32_t cost_to_end(const Program& program, const TokenTrie& trie,
                          const Positions& positions) {
  std::uint32_t best = kNever;
  for (const Position& position : positions) {
    best = std::min(best, cost_to_end(program, trie, position));
  }
  return best;
}

}  // namespace fineprint::grammar
