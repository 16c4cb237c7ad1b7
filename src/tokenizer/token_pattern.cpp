// The patterns of tokenizer files, with PCRE2.
#include "tokenizer/token_pattern.h"

#include <algorithm>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "tokenizer/tokenizer_json.h"

namespace fineprint::tokenizer {

// The compiled expression and its match limits, freed with the last pattern that uses them.
struct TokenPattern::Code {
  std::shared_ptr<pcre2_code> compiled;
  std::shared_ptr<pcre2_match_context> limits;
};

namespace {

using MatchData = std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)>;

// Enough for a run of a hundred million blanks. An expression that backtracks without end reaches
// it in seconds.
constexpr std::uint32_t kMaxTokenSteps = 200'000'000;
// A limit on memory, too: deep backtracking would use all of it.
constexpr std::uint32_t kMaxHeapKiB = 256 * 1024;

[[noreturn]] void refuse_match(const std::string& source, int code) {
  throw Error(
      ErrorCode::model,
      fineprint::format("the tokenizer's regular expression {} takes too many steps on this "
                        "text (PCRE2 error {}); its tokenizer.json cannot process it",
                        in_quotes(source), code));
}

// Iterates over matches as Oniguruma does: an empty match that touches the match before is skipped.
class Matches {
 public:
  Matches(const pcre2_code* code, pcre2_match_context* limits, std::string_view text,
          const std::string& source)
      : code_(code),
        limits_(limits),
        text_(text),
        source_(source),
        data_(pcre2_match_data_create(1, nullptr), pcre2_match_data_free) {
    if (data_ == nullptr)
      throw Error(ErrorCode::out_of_memory, "not enough memory to match a regular expression");
  }

  bool next(Range* out) {
    while (at_ <= text_.size()) {
      if (!search()) return false;
      const std::size_t* offsets = pcre2_get_ovector_pointer(data_.get());
      const std::size_t begin = offsets[0];
      const std::size_t end = offsets[1];
      if (begin < end || !has_last_ || end != last_end_) {
        *out = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
        at_ = last_end_ = end;
        has_last_ = true;
        return true;
      }
      // Advances by one character, not by one byte.
      do ++at_;
      while (at_ < text_.size() && (text_[at_] & 0xC0) == 0x80);
    }
    return false;
  }

 private:
  bool search() {
    const auto* subject = reinterpret_cast<PCRE2_SPTR>(text_.data());
    int found =
        // The text was checked before, and checking it again for each match would take quadratic
        // time.
        pcre2_match(code_, subject, text_.size(), at_, PCRE2_NO_UTF_CHECK, data_.get(), limits_);
    if (found == PCRE2_ERROR_JIT_STACKLIMIT) {
      // The JIT's stack is small. The interpreter takes memory from the heap, within the limit
      // above.
      found = pcre2_match(code_, subject, text_.size(), at_, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT,
                          data_.get(), limits_);
    }
    if (found == PCRE2_ERROR_NOMATCH) return false;
    if (found < 0) refuse_match(source_, found);
    return true;
  }

  const pcre2_code* code_;
  pcre2_match_context* limits_;
  std::string_view text_;
  const std::string& source_;
  MatchData data_;
  std::size_t at_ = 0, last_end_ = 0;
  bool has_last_ = false;
};

}  // namespace

TokenPattern TokenPattern::literal(std::string text) {
  if (text.empty()) throw Error(ErrorCode::model, "a pattern is the empty string");
  TokenPattern out;
  out.source_ = std::move(text);
  return out;
}

TokenPattern TokenPattern::expression(const std::string& oniguruma) {
  const std::string translated = pcre_from_oniguruma(oniguruma);
  auto code = std::make_shared<Code>();
  int error = 0;
  std::size_t at = 0;
  // Anchors match at line ends, as in Oniguruma.
  constexpr std::uint32_t kOptions =
      PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C;
  pcre2_compile_context* context = pcre2_compile_context_create(nullptr);
  if (context != nullptr) pcre2_set_newline(context, PCRE2_NEWLINE_LF);
  code->compiled.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(translated.data()),
                                     translated.size(), kOptions, &error, &at, context),
                       pcre2_code_free);
  pcre2_compile_context_free(context);
  if (code->compiled == nullptr) {
    throw Error(ErrorCode::model,
                fineprint::format(
                    "the regular expression {} cannot be compiled (PCRE2 error {} at byte {})",
                    in_quotes(oniguruma), error, at));
  }
  pcre2_jit_compile(code->compiled.get(),
                    PCRE2_JIT_COMPLETE);  // if it fails, matching is only slower
  code->limits.reset(pcre2_match_context_create(nullptr), pcre2_match_context_free);
  if (code->limits == nullptr)
    throw Error(ErrorCode::out_of_memory, "not enough memory for a regular expression");
  pcre2_set_match_limit(code->limits.get(), kMaxTokenSteps);
  pcre2_set_heap_limit(code->limits.get(), kMaxHeapKiB);
  TokenPattern out;
  out.source_ = oniguruma;
  out.code_ = std::move(code);
  return out;
}

void TokenPattern::scan(std::string_view text, const Sink& sink) const {
  if (text.empty()) return;
  if (code_ == nullptr) return scan_literal(text, sink);
  scan_expression(text, sink);
}

void TokenPattern::scan_literal(std::string_view text, const Sink& sink) const {
  std::size_t done = 0;
  while (done < text.size()) {
    const std::size_t found = std::min(text.find(source_, done), text.size());
    const auto begin = static_cast<std::uint32_t>(found);
    if (found > done) sink({{static_cast<std::uint32_t>(done), begin}, false});
    done = found;
    if (found == text.size()) break;
    done += source_.size();
    sink({{begin, static_cast<std::uint32_t>(done)}, true});
  }
}

void TokenPattern::scan_expression(std::string_view text, const Sink& sink) const {
  Matches matches(code_->compiled.get(), code_->limits.get(), text, source_);
  std::uint32_t done = 0;
  for (Range match; matches.next(&match);) {
    if (match.begin > done) sink({{done, match.begin}, false});
    sink({match, true});
    done = match.end;
  }
  const auto size = static_cast<std::uint32_t>(text.size());
  if (done < size) sink({{done, size}, false});
}

}  // namespace fineprint::tokenizer
