// A schema as a graph of what replies write, in order. Each step knows the tokens it takes to the
// end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grammar/schema_node.h"
#include "grammar/token_trie.h"

namespace fineprint::grammar {

// Arrays without maxItems end here, because a model that repeats itself would fill the whole reply
// with one array. Strings without maxLength need no such limit: they end when the tokens do.
constexpr std::size_t kMaxFreeItems = 256;
// Nested arrays; the depth limit of schemas (16 values) never exceeds it.
constexpr std::size_t kMaxOpenArrays = 16;

enum class StepKind { literal, string, number, choice, array_begin, array_end_of_item, end };

// What a reply writes next. The comments name the kinds that use a member.
struct ProgramStep {
  StepKind kind = StepKind::end;
  std::uint32_t next = 0;  // the step after it; array_begin: index of the array
  // Index of the innermost array whose items contain this step; -1 if none does.
  std::int32_t array = -1;
  // The fewest tokens from before this step to the end of the enclosing item, or of the reply.
  std::uint32_t cost = 0;
  std::string bytes;                   // literal
  std::vector<std::uint32_t> cost_at;  // literal: fewest tokens for the rest from each byte on
  bool blank_before = false;           // one blank may come before it
  bool blank_inside = false;           // literal: one blank may follow its first byte, `{` or `,`
  std::uint32_t max_length = 0;        // string
  WritableNumbers numbers;             // number
  std::vector<std::uint32_t> targets;  // choice
};

// An array type of the schema, by the steps of its parts.
struct ProgramArray {
  std::size_t min_items = 0, max_items = 0;
  std::int32_t outer = -1;  // index of the enclosing array; -1: none
  std::uint32_t depth = 0;  // enclosing arrays
  std::uint32_t item = 0, comma = 0,
                close = 0;      // steps: first item, the comma before another, the bracket
  std::uint32_t item_cost = 0;  // tokens of the shortest item
};

// Immutable after construction.
class Program {
 public:
  // Throws Error(model) if the vocabulary has no token for a byte without which no reply can end,
  // and Error(usage) if the shortest value would have more than a million tokens.
  Program(const SchemaNode& schema, const TokenTrie& trie);

  const ProgramStep& operator[](std::uint32_t step) const { return steps_[step]; }
  const ProgramArray& array(std::int32_t index) const {
    return arrays_[static_cast<std::size_t>(index)];
  }
  std::uint32_t start() const { return start_; }
  // Returns the fewest tokens from the end of an item, which is the `items`-th of its array, to the
  // end of the item around that array, or of the reply. Saturates at kNever.
  std::uint32_t cost_after_item(const ProgramArray& array, std::size_t items) const;

 private:
  std::uint32_t add(ProgramStep step);
  std::uint32_t add_literal(std::string bytes, std::uint32_t next, bool blank_before = false,
                            bool blank_inside = false);
  std::uint32_t add_choice(std::vector<std::uint32_t> targets);
  std::uint32_t add_value(const SchemaNode& node, std::uint32_t next);
  std::uint32_t add_object(const SchemaNode& node, std::uint32_t next);
  std::uint32_t add_array(const SchemaNode& node, std::uint32_t next);
  std::uint32_t add_string(const SchemaNode& node, std::uint32_t next);
  std::uint32_t add_number(const SchemaNode& node, std::uint32_t next);
  void require(char byte) const;

  const TokenTrie* trie_;  // only while the program is built
  std::vector<ProgramStep> steps_;
  std::vector<ProgramArray> arrays_;
  std::int32_t array_ = -1;  // the array whose items are being built
  std::uint32_t start_ = 0;
};

}  // namespace fineprint::grammar
