// A schema as a graph of what replies write, in order, with the way to its end measured in tokens.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grammar/schema_node.h"
#include "grammar/token_trie.h"

namespace fineprint::grammar {

// Arrays without maxItems end here: a model that repeats itself would fill the reply with one.
// Strings without maxLength end when the tokens do.
constexpr std::size_t kMaxFreeItems = 256;
constexpr std::size_t kMaxOpenArrays = 16;

enum class StepKind { literal, string, number, choice, array_begin, array_end_of_item, end };

struct ProgramStep {
  StepKind kind = StepKind::end;
  std::uint32_t next = 0;  // the step after it; of array_begin: the array
  // The array in whose items it stands; -1: in none.
  std::int32_t array = -1;
  // Tokens from before this step to the end of the item, or of the reply, at the least.
  std::uint32_t cost = 0;
  std::string bytes;                   // literal
  std::vector<std::uint32_t> cost_at;  // literal: tokens for what follows each byte
  bool blank_before = false;           // one blank may come first
  bool blank_inside = false;           // literal: one blank may follow its first byte
  std::uint32_t max_length = 0;        // string
  WritableNumbers numbers;             // number
  std::vector<std::uint32_t> targets;  // choice
};

struct ProgramArray {
  std::size_t min_items = 0, max_items = 0;
  std::int32_t outer = -1;                       // the array around it
  std::uint32_t depth = 0;                       // how many are around it
  std::uint32_t item = 0, comma = 0, close = 0;  // first item; another; the closing bracket
  std::uint32_t item_cost = 0;
};

class Program {
 public:
  // Throws Error(model) when a byte without which a reply cannot be ended has no token.
  Program(const SchemaNode& schema, const TokenTrie& trie);

  const ProgramStep& operator[](std::uint32_t step) const { return steps_[step]; }
  const ProgramArray& array(std::int32_t index) const {
    return arrays_[static_cast<std::size_t>(index)];
  }
  std::uint32_t start() const { return start_; }
  // Tokens from the end of an array's item, when it has `items`, to the end of the array's own
  // item or of the reply.
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

  const TokenTrie* trie_;  // while it is built
  std::vector<ProgramStep> steps_;
  std::vector<ProgramArray> arrays_;
  std::int32_t array_ = -1;  // around what is being built
  std::uint32_t start_ = 0;
};

}  // namespace fineprint::grammar
