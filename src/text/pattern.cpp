// Regular expressions with PCRE2.
#include "fineprint/text/pattern.h"

#include <cstdint>
#include <optional>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::text {

// The compiled expression and its match limits, freed with the last pattern that uses them.
struct Pattern::Code {
  std::shared_ptr<pcre2_code> compiled;
  std::shared_ptr<pcre2_match_context> limits;
};

namespace {

using MatchData = std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)>;

// Limits backtracking, so that a hostile text cannot keep an expression busy. A match that exceeds
// it counts as no match.
constexpr std::uint32_t kMaxSteps = 1000000;

MatchData make_match_data(const pcre2_code* compiled) {
  MatchData data(pcre2_match_data_create_from_pattern(compiled, nullptr), pcre2_match_data_free);
  if (data == nullptr)
    throw Error(ErrorCode::out_of_memory, "not enough memory to match a regular expression");
  return data;
}

// Returns the next occurrence at or after `at`. Errors count as "no occurrence".
std::optional<Match> next_match(const pcre2_code* compiled, pcre2_match_context* limits,
                                std::string_view utf8, std::size_t at, pcre2_match_data* data) {
  const auto* text = reinterpret_cast<PCRE2_SPTR>(utf8.data());
  // NOTEMPTY: an empty match would be found again at the same place for ever.
  if (pcre2_match(compiled, text, utf8.size(), at, PCRE2_NOTEMPTY, data, limits) < 0) return {};
  const std::size_t* offsets = pcre2_get_ovector_pointer(data);
  Match match;
  for (std::uint32_t i = 0; i < pcre2_get_ovector_count(data); ++i) {
    const bool is_set = offsets[2 * i] != PCRE2_UNSET;
    // A group that took no part in the match is an empty span, so that groups keep their numbers.
    match.groups.push_back(is_set ? Span{static_cast<std::uint32_t>(offsets[2 * i]),
                                         static_cast<std::uint32_t>(offsets[2 * i + 1])}
                                  : Span{});
  }
  return match;
}

std::string_view text_of(std::string_view utf8, const Span& span) {
  return utf8.substr(span.begin, span.end - span.begin);
}

}  // namespace

Pattern::Pattern(const std::string& expression, Case letters) {
  auto code = std::make_shared<Code>();
  int error = 0;
  std::size_t at = 0;
  // MATCH_INVALID_UTF: text from documents may contain invalid bytes, which must not make a match
  // fail.
  std::uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF;
  if (letters == Case::ignored) options |= PCRE2_CASELESS;
  code->compiled.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(expression.data()),
                                     expression.size(), options, &error, &at, nullptr),
                       pcre2_code_free);
  if (code->compiled == nullptr) {
    throw Error(ErrorCode::internal,
                fineprint::format("expression \"{}\" is invalid at byte {} (PCRE2 error {})",
                                  expression, at, error));
  }
  pcre2_jit_compile(code->compiled.get(),
                    PCRE2_JIT_COMPLETE);  // if it fails, matching is only slower
  code->limits.reset(pcre2_match_context_create(nullptr), pcre2_match_context_free);
  if (code->limits != nullptr) pcre2_set_match_limit(code->limits.get(), kMaxSteps);
  code_ = std::move(code);
}

std::vector<Match> Pattern::find_all(std::string_view utf8) const {
  const MatchData data = make_match_data(code_->compiled.get());
  std::vector<Match> out;
  std::size_t at = 0;
  while (auto match =
             next_match(code_->compiled.get(), code_->limits.get(), utf8, at, data.get())) {
    at = match->whole().end;
    out.push_back(std::move(*match));
  }
  return out;
}

bool Pattern::occurs_in(std::string_view utf8) const {
  const MatchData data = make_match_data(code_->compiled.get());
  return next_match(code_->compiled.get(), code_->limits.get(), utf8, 0, data.get()).has_value();
}

std::vector<std::vector<std::string>> Pattern::matches(std::string_view utf8) const {
  std::vector<std::vector<std::string>> out;
  for (const Match& match : find_all(utf8)) {
    std::vector<std::string>& groups = out.emplace_back();
    for (const Span& span : match.groups) groups.emplace_back(text_of(utf8, span));
  }
  return out;
}

std::string Pattern::replaced(std::string_view utf8, std::string_view replacement) const {
  std::string out;
  std::size_t done = 0;
  for (const Match& match : find_all(utf8)) {
    out += utf8.substr(done, match.whole().begin - done);
    done = match.whole().end;
    for (std::size_t i = 0; i < replacement.size(); ++i) {
      const bool is_group = replacement[i] == '$' && i + 1 < replacement.size() &&
                            replacement[i + 1] >= '0' && replacement[i + 1] <= '9';
      if (!is_group) {
        out += replacement[i];
        continue;
      }
      const auto group = static_cast<std::size_t>(replacement[++i] - '0');
      if (group < match.groups.size()) out += text_of(utf8, match.groups[group]);
    }
  }
  return out.append(utf8.substr(done));
}

}  // namespace fineprint::text
