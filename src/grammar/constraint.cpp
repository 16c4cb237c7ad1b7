// Turns the positions of a reply into flags of the tokens that may come next.
//
// Testing each token of a vocabulary for each token of a reply would be slow. Inside a string,
// where most of a reply is, nearly all tokens are allowed: a mask from the trie is copied and only
// the exceptions are computed. Elsewhere few tokens are allowed, and a walk through the trie visits
// only the branches that can follow.
#include <algorithm>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/grammar/json_constraint.h"

#include "grammar/position.h"

namespace fineprint::grammar {
namespace {

// No token ends further than this from the end of a character, counted in tokens: with so much
// slack, no token that stays inside a string needs a check.
constexpr std::uint32_t kAmpleSlack = 4;

// Flags that mostly equal one of the trie's masks. Consecutive tokens usually start from the same
// mask, so resetting the few flags that changed is cheaper than copying the vocabulary again.
class Flags {
 public:
  explicit Flags(std::size_t size) : flags_(size) {}

  void start_from(std::span<const std::uint8_t> base) {
    if (base.data() == base_.data() && changed_.size() < flags_.size() / 8) {
      for (const std::size_t id : changed_) flags_[id] = base_[id];
    } else {
      std::ranges::copy(base, flags_.begin());
      base_ = base;
    }
    changed_.clear();
  }
  void set(std::int64_t id, std::uint8_t flag) {
    const auto index = static_cast<std::size_t>(id);
    if (flags_[index] == flag) return;
    flags_[index] = flag;
    changed_.push_back(index);
  }
  std::span<const std::uint8_t> all() const { return flags_; }

 private:
  std::vector<std::uint8_t> flags_;
  std::span<const std::uint8_t> base_;
  std::vector<std::size_t> changed_;
};

struct Limits {
  std::uint32_t tokens_after = 0;  // that may still be written after the token being tested
  std::uint32_t code_points = 0;   // that it may begin in the string that it closes
};

}  // namespace

struct JsonConstraint::State {
  State(std::shared_ptr<const TokenTrie> shared, const JsonSchema& schema)
      : trie(std::move(shared)),
        program(schema.root(), *trie),
        flags(trie->vocabulary()),
        levels(trie->longest_token() + 1) {
    enter(program, program.start(), {}, &positions);
    shortest = cost_to_end(program, *trie, positions);
  }

  std::uint32_t cost(const Positions& of) const { return cost_to_end(program, *trie, of); }
  bool is_complete() const;
  void find_allowed(std::uint32_t most_after);
  const Position* find_base(std::uint32_t most_after) const;
  void allow_inside(const Position& position, const Position* base, std::uint32_t most_after);
  void limit_base(const Position& position, std::uint32_t slack);
  void allow_closing(const Position& position, std::uint32_t most_after);
  void walk(const ByteTrie& tokens, std::uint32_t node, std::size_t level, const Limits& limits);
  void walk_child(const ByteTrie& tokens, std::uint32_t child, std::size_t level,
                  const Limits& limits);

  std::shared_ptr<const TokenTrie> trie;
  Program program;
  Positions positions;
  bool has_ended = false;
  std::uint32_t shortest = 0;
  Flags flags;
  std::vector<Positions> levels;  // positions along the current path of a walk, by depth
};

bool JsonConstraint::State::is_complete() const {
  if (has_ended) return true;
  return std::ranges::all_of(positions, [&](const Position& position) {
    const ProgramStep& step = program[position.step];
    // A number is followed by the end without any byte, so a number that cannot grow is complete.
    return step.kind == StepKind::end ||
           (step.kind == StepKind::number && !can_grow(position.number, step.numbers) &&
            program[step.next].kind == StepKind::end);
  });
}

// Sets the flags. `most_after` is the number of tokens that may follow the one that is chosen now.
void JsonConstraint::State::find_allowed(std::uint32_t most_after) {
  const Position* base = find_base(most_after);
  flags.start_from(trie->inside(base == nullptr ? 0 : base->at));
  if (base != nullptr) limit_base(*base, most_after - 1 - cost_after_string(program, *base));
  for (const Position& position : positions) {
    const StepKind kind = program[position.step].kind;
    if (kind == StepKind::end) {
      for (const std::int64_t id : trie->end_tokens()) flags.set(id, 1);
    } else if (kind == StepKind::string) {
      allow_inside(position, base, most_after);
      allow_closing(position, most_after);
    } else {
      levels[0].assign(1, position);
      walk(trie->tokens(), 0, 0, {most_after, kNever});
    }
  }
}

// Returns the position between two characters of a string that may still take the most characters,
// because nearly all tokens may follow it; of several, the cheapest to end. Returns nullptr if
// there is none. Its mask is the one to start from.
const Position* JsonConstraint::State::find_base(std::uint32_t most_after) const {
  const Position* best = nullptr;
  std::uint32_t least = 0;
  for (const Position& position : positions) {
    if (program[position.step].kind != StepKind::string) continue;
    if (position.point != StringPoint::inside) continue;
    const std::uint32_t rest = 1 + cost_after_string(program, position);
    if (rest > most_after) continue;
    if (best == nullptr || position.at > best->at || (position.at == best->at && rest < least)) {
      best = &position;
      least = rest;
    }
  }
  return best;
}

// Clears tokens of the mask that begin too many characters, or that end within a character which
// there is no room to complete. `slack`: tokens that may be spent on completing it.
void JsonConstraint::State::limit_base(const Position& position, std::uint32_t slack) {
  const auto& inner = trie->tokens_at(StringPoint::inside).inner;
  // Sorted by code points, so the tokens that are too long are at the end. The mask itself is exact
  // up to kManyCodePoints.
  for (std::size_t i = inner.size(); i-- > 0 && inner[i].code_points > position.at;) {
    if (inner[i].code_points <= TokenTrie::kManyCodePoints) break;
    flags.set(inner[i].id, 0);
  }
  if (slack >= kAmpleSlack) return;
  for (const StringTokens::Inner& token : trie->unfinished()) {
    if (token.cost > slack) flags.set(token.id, 0);
  }
}

// Allows the tokens that keep the string at `position` open, unless `base` allows them all already.
void JsonConstraint::State::allow_inside(const Position& position, const Position* base,
                                         std::uint32_t most_after) {
  const std::uint32_t rest = 1 + cost_after_string(program, position);
  if (&position == base || rest > most_after) return;
  if (base != nullptr && position.point == StringPoint::inside) {
    const std::uint32_t base_rest = 1 + cost_after_string(program, *base);
    if (base_rest <= rest || base_rest + kAmpleSlack <= most_after) return;
  }
  for (const StringTokens::Inner& token : trie->tokens_at(position.point).inner) {
    if (token.code_points > position.at) break;
    if (rest + token.cost <= most_after) flags.set(token.id, 1);
  }
}

// Allows the tokens that close the string at `position` and go on with what follows it.
void JsonConstraint::State::allow_closing(const Position& position, std::uint32_t most_after) {
  levels[0].clear();
  enter(program, program[position.step].next, position, &levels[0]);
  walk(trie->tokens_at(position.point).closing, 0, 0, {most_after, position.at});
}

// Allows the tokens below `node` that lead from the positions in levels[level] to a place from
// which the reply can still be ended.
void JsonConstraint::State::walk(const ByteTrie& tokens, std::uint32_t node, std::size_t level,
                                 const Limits& limits) {
  const auto here = tokens.tokens_at(node);
  if (!here.empty() && cost(levels[level]) <= limits.tokens_after) {
    for (const TrieToken& token : here) {
      if (token.code_points <= limits.code_points) flags.set(token.id, 1);
    }
  }
  const Positions& now = levels[level];
  const ProgramStep& step = program[now[0].step];
  if (now.size() == 1 && step.kind == StepKind::literal) {
    // Only this byte and perhaps a blank can follow: the other branches need no look.
    const char literal = step.bytes[now[0].at];
    for (const char byte : {literal, ' '}) {
      const std::uint32_t child = tokens.child(node, static_cast<std::uint8_t>(byte));
      if (child != 0) walk_child(tokens, child, level, limits);
      if (literal == ' ')
        break;  // the same byte: walking it twice would double the work with each blank
    }
    return;
  }
  for (std::uint32_t child = node + 1; child < tokens[node].end; child = tokens[child].end) {
    walk_child(tokens, child, level, limits);
  }
}

void JsonConstraint::State::walk_child(const ByteTrie& tokens, std::uint32_t child,
                                       std::size_t level, const Limits& limits) {
  Positions& next = levels[level + 1];
  next.clear();
  for (const Position& position : levels[level]) {
    advance(program, position, tokens[child].byte, &next);
  }
  if (!next.empty()) walk(tokens, child, level + 1, limits);
}

JsonConstraint::JsonConstraint(std::shared_ptr<const TokenTrie> trie, const JsonSchema& schema)
    : state_(std::make_unique<State>(std::move(trie), schema)) {}
JsonConstraint::~JsonConstraint() = default;
JsonConstraint::JsonConstraint(JsonConstraint&&) noexcept = default;

std::size_t JsonConstraint::shortest() const { return state_->shortest; }

bool JsonConstraint::complete() const { return state_->is_complete(); }

std::span<const std::uint8_t> JsonConstraint::allowed(std::size_t tokens_left) {
  State& state = *state_;
  if (state.has_ended || tokens_left == 0 || state.cost(state.positions) > tokens_left) {
    throw Error(ErrorCode::usage,
                state.has_ended
                    ? std::string("a JSON reply that has ended cannot go on")
                    : format("{} tokens are too few to end a JSON reply that needs {}; allow more",
                             tokens_left, state.cost(state.positions)));
  }
  state.find_allowed(static_cast<std::uint32_t>(std::min<std::size_t>(tokens_left - 1, kNever)));
  return state.flags.all();
}

void JsonConstraint::accept(std::int64_t id) {
  State& state = *state_;
  const auto at_end = [&](const Position& position) {
    return state.program[position.step].kind == StepKind::end;
  };
  if (state.trie->is_end(id) && std::ranges::any_of(state.positions, at_end)) {
    state.has_ended = true;
    return;
  }
  const std::string_view bytes = state.trie->bytes_of(id);
  Positions next;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    next.clear();
    for (const Position& position : state.positions) {
      advance(state.program, position, static_cast<std::uint8_t>(bytes[i]), &next);
    }
    state.positions.swap(next);
  }
  if (bytes.empty() || state.positions.empty()) {
    throw Error(ErrorCode::internal, format("token {} was not allowed in a JSON reply", id));
  }
}

}  // namespace fineprint::grammar
