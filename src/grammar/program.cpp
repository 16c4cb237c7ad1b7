// Builds the graph of a schema from its end to its beginning, so that the cost of what follows a
// step is known when the step is added.
#include "grammar/program.h"

#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "grammar/number_state.h"

namespace fineprint::grammar {
namespace {

// A schema whose shortest reply is longer is refused: no model writes that much, and costs stay far
// from overflow.
constexpr std::uint32_t kMostTokens = 1'000'000;

[[noreturn]] void refuse_bytes(std::string_view what) {
  throw Error(ErrorCode::model,
              format("the vocabulary cannot write {}, which replies of this JSON schema need; "
                     "generate without a schema, or use another model",
                     what));
}

// Returns the fewest tokens for the rest of `bytes` from each offset on, [bytes + 1]. Dynamic
// programming from the end, because greedy longest tokens need not be the fewest.
std::vector<std::uint32_t> costs_of(std::string_view bytes, const ByteTrie& tokens) {
  std::vector<std::uint32_t> costs(bytes.size() + 1, kNever);
  costs[bytes.size()] = 0;
  for (std::size_t from = bytes.size(); from-- > 0;) {
    std::uint32_t node = 0;
    for (std::size_t at = from; at < bytes.size(); ++at) {
      node = tokens.child(node, static_cast<std::uint8_t>(bytes[at]));
      if (node == 0) break;
      if (!tokens.tokens_at(node).empty()) costs[from] = std::min(costs[from], 1 + costs[at + 1]);
    }
  }
  return costs;
}

}  // namespace

Program::Program(const SchemaNode& schema, const TokenTrie& trie) : trie_(&trie) {
  start_ = add_value(schema, add({}));
  trie_ = nullptr;
}

std::uint32_t Program::cost_after_item(const ProgramArray& array, std::size_t items) const {
  const std::uint64_t missing = items < array.min_items ? array.min_items - items : 0;
  const std::uint64_t each = array.item_cost + steps_[array.comma].cost_at[0];
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(kNever, missing * each + steps_[array.close].cost));
}

std::uint32_t Program::add(ProgramStep step) {
  step.array = array_;
  steps_.push_back(std::move(step));
  return static_cast<std::uint32_t>(steps_.size() - 1);
}

std::uint32_t Program::add_literal(std::string bytes, std::uint32_t next, bool blank_before,
                                   bool blank_inside) {
  ProgramStep step;
  step.kind = StepKind::literal;
  step.next = next;
  step.cost_at = costs_of(bytes, trie_->tokens());
  if (step.cost_at[0] >= kNever) refuse_bytes(bytes);
  step.cost = step.cost_at[0] + steps_[next].cost;
  step.bytes = std::move(bytes);
  step.blank_before = blank_before;
  step.blank_inside = blank_inside;
  return add(std::move(step));
}

std::uint32_t Program::add_choice(std::vector<std::uint32_t> targets) {
  if (targets.size() == 1) return targets[0];
  ProgramStep step;
  step.kind = StepKind::choice;
  step.cost = kNever;
  for (const std::uint32_t target : targets) step.cost = std::min(step.cost, steps_[target].cost);
  step.targets = std::move(targets);
  return add(std::move(step));
}

std::uint32_t Program::add_value(const SchemaNode& node, std::uint32_t next) {
  std::vector<std::uint32_t> targets;
  switch (node.kind) {
    case SchemaKind::object:
      return add_object(node, next);
    case SchemaKind::array:
      return add_array(node, next);
    case SchemaKind::string:
      return add_string(node, next);
    case SchemaKind::integer:
    case SchemaKind::number:
      return add_number(node, next);
    case SchemaKind::boolean:
      return add_choice({add_literal("true", next, true), add_literal("false", next, true)});
    case SchemaKind::null:
      return add_literal("null", next, true);
    case SchemaKind::constants:
      for (const Json& value : node.constants) {
        targets.push_back(add_literal(dump_json(value), next, true));
      }
      return add_choice(std::move(targets));
    case SchemaKind::one_of:
      for (const SchemaNode& part : node.alternatives) targets.push_back(add_value(part, next));
      return add_choice(std::move(targets));
  }
  return next;
}

// Goes from the last property to the first. After a property may come each later one up to and
// including the next required one, or the closing brace if none of them is required.
std::uint32_t Program::add_object(const SchemaNode& node, std::uint32_t next) {
  // Adds a property that may come next; a required one hides all later ones.
  const auto reach = [](std::vector<std::uint32_t>& targets, std::uint32_t target, bool required) {
    if (required) targets.clear();
    targets.insert(targets.begin(), target);
  };
  std::vector<std::uint32_t> at_start;
  if (std::ranges::none_of(node.properties, &SchemaProperty::required)) {
    at_start.push_back(add_literal("{}", next, true));
  }
  std::vector<std::uint32_t> after = {add_literal("}", next)};
  for (std::size_t i = node.properties.size(); i-- > 0;) {
    const SchemaProperty& property = node.properties[i];
    const std::uint32_t value = add_value(property.node, add_choice(after));
    const std::string key = dump_json(property.name) + ":";
    reach(at_start, add_literal("{" + key, value, true, true), property.required);
    if (i > 0) reach(after, add_literal("," + key, value, false, true), property.required);
  }
  return add_choice(std::move(at_start));
}

std::uint32_t Program::add_array(const SchemaNode& node, std::uint32_t next) {
  ProgramArray array;
  array.min_items = node.min_items;
  array.max_items = node.max_items.value_or(std::max(kMaxFreeItems, node.min_items));
  array.outer = array_;
  array.depth = array_ < 0 ? 0 : arrays_[static_cast<std::size_t>(array_)].depth + 1;
  array.close = add_literal("]", next);
  const auto index = static_cast<std::int32_t>(arrays_.size());
  arrays_.push_back(array);

  array_ = index;
  ProgramStep step;
  step.kind = StepKind::array_end_of_item;
  // The item is built before its comma and its cost, because both depend on it. Steps added here
  // remember the array through array_.
  array.item = add_value(node.items[0], add(std::move(step)));
  array.item_cost = steps_[array.item].cost;
  array.comma = add_literal(",", array.item);
  array_ = array.outer;
  arrays_[static_cast<std::size_t>(index)] = array;

  ProgramStep begin;
  begin.kind = StepKind::array_begin;
  begin.next = static_cast<std::uint32_t>(index);
  begin.cost =
      array.min_items == 0 ? steps_[array.close].cost : array.item_cost + cost_after_item(array, 1);
  if (begin.cost > kMostTokens) {
    throw Error(ErrorCode::usage, format("JSON schema: with minItems of {} the shortest value "
                                         "takes more than {} tokens; lower minItems",
                                         node.min_items, kMostTokens));
  }
  return add_literal("[", add(std::move(begin)), true);
}

std::uint32_t Program::add_string(const SchemaNode& node, std::uint32_t next) {
  require('"');
  ProgramStep step;
  step.kind = StepKind::string;
  step.next = next;
  step.max_length = static_cast<std::uint32_t>(node.max_length.value_or(kNever));
  step.blank_before = true;
  // An opening and a closing quote.
  step.cost = 2 + steps_[next].cost;
  return add(std::move(step));
}

std::uint32_t Program::add_number(const SchemaNode& node, std::uint32_t next) {
  ProgramStep step;
  step.kind = StepKind::number;
  step.next = next;
  step.numbers = *writable_numbers(node);
  step.blank_before = true;
  // All ten, since each may be the one that a bound forces.
  for (char digit = '0'; digit <= '9'; ++digit) require(digit);
  if (step.numbers.low < 0) require('-');
  if (step.numbers.scale > 1) require('.');
  step.cost = bytes_to_number({}, step.numbers) + steps_[next].cost;
  return add(std::move(step));
}

void Program::require(char byte) const {
  if (!trie_->has_byte(static_cast<std::uint8_t>(byte))) refuse_bytes(std::string(1, byte));
}

}  // namespace fineprint::grammar
