// Replies drawn token by token among those that a constraint allows.
#pragma once

#include <algorithm>
#include <map>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <time.h>

#include "fineprint/grammar/json_constraint.h"

namespace fineprint::testing {

// Which of the allowed tokens is drawn: any, or one of those that make trouble, if there are some.
enum class Draw { any, longest, quote_or_backslash, opening, unfinished, number };
constexpr Draw kDraws[] = {Draw::any,     Draw::longest,    Draw::quote_or_backslash,
                           Draw::opening, Draw::unfinished, Draw::number};

struct DrawnReply {
  std::vector<std::int32_t> ids;  // without an end token
  std::string bytes;
  bool has_ended = false;  // by an end token
  // Processor time of `allowed` and `accept`, which other programs on the machine do not lengthen.
  std::int64_t total_ns = 0, slowest_ns = 0;
  std::size_t steps = 0;
};

inline std::int64_t thread_time_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

class ReplyDrawer {
 public:
  ReplyDrawer(const tokenizer::Tokenizer& tokenizer, std::size_t vocabulary) {
    for (std::size_t id = 0; id < vocabulary; ++id) {
      bytes_.push_back(id < tokenizer.vocab_size()
                           ? tokenizer.token_bytes(static_cast<std::int32_t>(id))
                           : std::string());
      for (const Draw how : kDraws) {
        if (is_liked(how, bytes_.back())) liked_[how].push_back(id);
      }
    }
    std::ranges::stable_sort(liked_[Draw::longest], std::ranges::greater(),
                             [&](std::size_t id) { return bytes_[id].size(); });
  }

  // At most `limit` tokens. Every fifth token or so is any that is allowed, so that strings end.
  DrawnReply draw(grammar::JsonConstraint constraint, std::size_t limit, Draw how,
                  std::span<const std::int64_t> end_tokens, std::mt19937_64& random) const {
    DrawnReply reply;
    for (; limit > 0 && !constraint.complete(); --limit) {
      const std::int64_t start = thread_time_ns();
      const std::span<const std::uint8_t> allowed = constraint.allowed(limit);
      const std::int64_t middle = thread_time_ns();
      const std::size_t id = pick(allowed, random() % 5 == 0 ? Draw::any : how, random);
      const std::int64_t picked = thread_time_ns();
      constraint.accept(static_cast<std::int64_t>(id));
      const std::int64_t taken = middle - start + thread_time_ns() - picked;
      reply.total_ns += taken;
      reply.slowest_ns = std::max(reply.slowest_ns, taken);
      ++reply.steps;
      reply.has_ended =
          std::ranges::find(end_tokens, static_cast<std::int64_t>(id)) != end_tokens.end();
      if (reply.has_ended) break;
      reply.ids.push_back(static_cast<std::int32_t>(id));
      reply.bytes += bytes_[id];
    }
    return reply;
  }

 private:
  // Each allowed id of the liked ones is as likely, or of all, when none of them is allowed. Throws
  // std::out_of_range when nothing is.
  std::size_t pick(std::span<const std::uint8_t> allowed, Draw how, std::mt19937_64& random) const {
    const std::vector<std::size_t>& ids = liked_.at(how);
    const auto is_allowed = [&](std::size_t id) { return allowed[id] != 0; };
    for (int tries = 0; tries < 50 && !ids.empty() && how != Draw::longest; ++tries) {
      const std::size_t id = ids[random() % ids.size()];
      if (is_allowed(id)) return id;
    }
    std::vector<std::size_t> left;
    for (const std::size_t id : ids) {
      if (is_allowed(id)) left.push_back(id);
      if (how == Draw::longest && !left.empty()) break;
    }
    if (left.empty() && how != Draw::any) return pick(allowed, Draw::any, random);
    return left.at(left.empty() ? 0 : random() % left.size());
  }

  static bool is_liked(Draw how, const std::string& bytes) {
    switch (how) {
      case Draw::any:
      case Draw::longest:
        return true;
      case Draw::quote_or_backslash:
        return bytes.find_first_of("\"\\") != std::string::npos;
      case Draw::opening:
        return bytes.find_first_of("[{") != std::string::npos;
      case Draw::unfinished:
        return !bytes.empty() && static_cast<unsigned char>(bytes.back()) >= 0xC0;
      case Draw::number:
        return bytes.find_first_of("0123456789.-") != std::string::npos;
    }
    return true;
  }

  std::vector<std::string> bytes_;
  std::map<Draw, std::vector<std::size_t>> liked_;
};

}  // namespace fineprint::testing
