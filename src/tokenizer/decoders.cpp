// The decoders.
#include "tokenizer/decoders.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "fineprint/core/unicode.h"

#include "tokenizer/byte_alphabet.h"
#include "tokenizer/utf8_joiner.h"

namespace fineprint::tokenizer {
namespace {

void replace_all(std::string_view from, std::string_view to, std::string* text) {
  for (std::size_t at = text->find(from); at != std::string::npos;
       at = text->find(from, at + to.size())) {
    text->replace(at, from.size(), to);
  }
}

// Removes the blanks that joining puts around punctuation and English clitics.
// Source: `cleanup` of the WordPiece decoder of Hugging Face tokenizers, same order.
// The order of the rules matters: each one sees the result of those before.
void clean_up(std::string* text) {
  static constexpr std::pair<std::string_view, std::string_view> kRules[] = {
      {" .", "."},   {" ?", "?"},     {" !", "!"},    {" ,", ","},
      {" ' ", "'"},  {" n't", "n't"}, {" 'm", "'m"},  {" do not", " don't"},
      {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
  for (const auto& [from, to] : kRules) replace_all(from, to, text);
}

// A step that rewrites complete tokens one by one.
class TokenStep : public TextSink {
 public:
  using Rewrite = std::function<std::string(const std::string& token, bool is_first)>;
  TokenStep(Rewrite rewrite, TextSink* next) : rewrite_(std::move(rewrite)), next_(next) {}

  void add(std::string_view part) override { token_ += part; }
  void end_token() override {
    next_->add(rewrite_(token_, is_first_));
    next_->end_token();
    token_.clear();
    is_first_ = false;
  }
  void finish() override {
    is_first_ = true;
    next_->finish();
  }

 private:
  Rewrite rewrite_;
  TextSink* next_;
  std::string token_;
  bool is_first_ = true;
};

// Converts byte-level tokens to bytes and joins them into characters across token borders.
class ByteLevelStep : public TextSink {
 public:
  explicit ByteLevelStep(TextSink* next) : next_(next) {}

  void add(std::string_view part) override { token_ += part; }
  void end_token() override {
    joiner_.add(bytes_of_token(token_), &ready_);
    token_.clear();
    hand_on();
  }
  void finish() override {
    joiner_.finish(&ready_);
    hand_on();
    next_->end_token();
    next_->finish();
  }

 private:
  // Passes complete characters to the next step. Nothing is passed while a character is incomplete.
  void hand_on() {
    if (!ready_.empty()) next_->add(ready_);
    ready_.clear();
  }

  TextSink* next_;
  std::string token_, ready_;
  Utf8Joiner joiner_;
};

// Passes text on and joins all tokens into one.
class FuseStep : public TextSink {
 public:
  explicit FuseStep(TextSink* next) : next_(next) {}
  void add(std::string_view part) override { next_->add(part); }
  void end_token() override {}
  void finish() override {
    next_->end_token();
    next_->finish();
  }

 private:
  TextSink* next_;
};

// Returns the byte of a token such as "<0x0A>"; nullopt for other tokens.
std::optional<char> byte_of_token(std::string_view token) {
  if (token.size() != 6 || !token.starts_with("<0x") || token[5] != '>') return {};
  int value = 0;
  for (const char c : token.substr(3, 2)) {
    const bool is_digit = c >= '0' && c <= '9';
    const char lower = static_cast<char>(c | 0x20);
    if (!is_digit && (lower < 'a' || lower > 'f')) return {};
    value = value * 16 + (is_digit ? c - '0' : lower - 'a' + 10);
  }
  return static_cast<char>(value);
}

// Collects a run of byte tokens until it is known whether it is valid UTF-8.
class ByteFallbackStep : public TextSink {
 public:
  explicit ByteFallbackStep(TextSink* next) : next_(next) {}

  void add(std::string_view part) override { token_ += part; }
  void end_token() override {
    if (const auto byte = byte_of_token(token_)) {
      take(*byte);
    } else {
      end_run();
      hand_on(token_);
    }
    token_.clear();
  }
  void finish() override {
    end_run();
    next_->finish();
  }

 private:
  // After the first invalid byte the run cannot become valid, so its bytes need not wait.
  void take(char byte) {
    if (is_broken_) return hand_on(kReplacement);
    run_.push_back(byte);
    is_broken_ = !checker_.accepts(byte);
    if (!is_broken_) return;
    for (std::size_t i = 0; i < run_.size(); ++i) hand_on(kReplacement);
    run_.clear();
  }

  // A run that ends in the middle of a character is invalid: each of its bytes becomes U+FFFD.
  void end_run() {
    if (!run_.empty()) {
      if (checker_.is_complete()) {
        hand_on(run_);
      } else {
        for (std::size_t i = 0; i < run_.size(); ++i) hand_on(kReplacement);
      }
    }
    run_.clear();
    is_broken_ = false;
    checker_ = {};
  }

  void hand_on(std::string_view token) {
    next_->add(token);
    next_->end_token();
  }

  TextSink* next_;
  std::string token_, run_;
  Utf8Checker checker_;
  bool is_broken_ = false;
};

// Removes a character from both ends of a token. Characters that may be at its end are held back.
class StripStep : public TextSink {
 public:
  StripStep(std::string character, std::size_t start, std::size_t stop, TextSink* next)
      : character_(std::move(character)), start_(start), stop_(stop), next_(next) {}

  void add(std::string_view part) override {
    while (is_leading_ && taken_ < start_ && part.starts_with(character_)) {
      part.remove_prefix(character_.size());
      ++taken_;
    }
    if (part.empty()) return;
    is_leading_ = false;
    std::size_t trailing = 0;  // number of them at the end of this part
    std::string_view rest = part;
    while (stop_ > 0 && rest.ends_with(character_)) {
      rest.remove_suffix(character_.size());
      ++trailing;
    }
    if (!rest.empty()) {
      // More text follows, so the characters held back were not at the end.
      release(held_);
      next_->add(rest);
    }
    held_ += trailing;
    if (held_ > stop_) release(held_ - stop_);
  }

  void end_token() override {
    held_ = taken_ = 0;
    is_leading_ = true;
    next_->end_token();
  }
  void finish() override { next_->finish(); }

 private:
  // Passes on characters that were held back, because they turned out not to be at the end.
  void release(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) next_->add(character_);
    held_ -= count;
  }

  std::string character_;
  std::size_t start_, stop_;
  TextSink* next_;
  std::size_t taken_ = 0;  // removed from the start of this token
  std::size_t held_ = 0;   // held back, because they may be at the end of the token
  bool is_leading_ = true;
};

}  // namespace

std::unique_ptr<TextSink> ByteLevelDecoder::start(TextSink* next) const {
  return std::make_unique<ByteLevelStep>(next);
}

std::string ByteLevelDecoder::middle(std::string token) const { return bytes_of_token(token); }

std::unique_ptr<TextSink> WordPieceDecoder::start(TextSink* next) const {
  return std::make_unique<TokenStep>(
      [this](const std::string& token, bool is_first) { return decoded(token, is_first); }, next);
}

std::string WordPieceDecoder::decoded(const std::string& token, bool is_first) const {
  // The first token never gets a blank, even if it has the prefix.
  const bool continues = !is_first && token.starts_with(prefix_);
  std::string text = continues ? token.substr(prefix_.size()) : is_first ? token : " " + token;
  if (cleanup_) clean_up(&text);
  return text;
}

std::unique_ptr<TextSink> BlankDecoder::start(TextSink* next) const {
  return std::make_unique<TokenStep>(
      [](const std::string& token, bool is_first) { return is_first ? token : " " + token; }, next);
}

std::unique_ptr<TextSink> MetaspaceDecoder::start(TextSink* next) const {
  return std::make_unique<TokenStep>(
      [this](const std::string& token, bool is_first) { return decoded(token, is_first); }, next);
}

std::string MetaspaceDecoder::decoded(const std::string& token, bool is_first) const {
  std::string text = token;
  // Only the first token loses its mark: the others begin words.
  replace_all(replacement_, is_first && drops_first_ ? "" : " ", &text);
  return text;
}

std::unique_ptr<TextSink> ReplaceDecoder::start(TextSink* next) const {
  return std::make_unique<TokenStep>(
      [this](const std::string& token, bool) { return decoded(token); }, next);
}

std::string ReplaceDecoder::decoded(const std::string& token) const {
  std::string out;
  pattern_.scan(token, [&](const PatternSpan& span) {
    out += span.is_match ? std::string_view(content_)
                         : std::string_view(token).substr(span.range.begin,
                                                          span.range.end - span.range.begin);
  });
  return out;
}

std::unique_ptr<TextSink> ByteFallbackDecoder::start(TextSink* next) const {
  return std::make_unique<ByteFallbackStep>(next);
}

std::string ByteFallbackDecoder::middle(std::string token) const {
  const auto byte = byte_of_token(token);
  return byte ? std::string(1, *byte) : token;
}

std::unique_ptr<TextSink> FuseDecoder::start(TextSink* next) const {
  return std::make_unique<FuseStep>(next);
}

std::unique_ptr<TextSink> StripDecoder::start(TextSink* next) const {
  return std::make_unique<StripStep>(character_, start_, stop_, next);
}

std::string StripDecoder::middle(std::string token) const {
  // After fusing, the middle of a text is never the start or end of the one token.
  if (is_fused_) return token;
  for (std::size_t i = 0; i < start_ && token.starts_with(character_); ++i) {
    token.erase(0, character_.size());
  }
  for (std::size_t i = 0; i < stop_ && token.ends_with(character_); ++i) {
    token.erase(token.size() - character_.size());
  }
  return token;
}

}  // namespace fineprint::tokenizer
