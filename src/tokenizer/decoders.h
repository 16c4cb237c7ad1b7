// The decoders of the tokenizers format as steps of a chain that takes one token at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/token_pattern.h"

namespace fineprint::tokenizer {

// Where text goes: a step of a decoder, or the end of the chain. A token may come in several parts.
// Every part is whole characters, except between the steps that make bytes into characters.
class TextSink {
 public:
  virtual ~TextSink() = default;
  virtual void add(std::string_view part) = 0;
  virtual void end_token() = 0;
  // No token follows. Afterwards the step is ready for a new text.
  virtual void finish() = 0;
};

// One decoder as the file names it. Immutable, safe to share.
class Decoder {
 public:
  virtual ~Decoder() = default;
  // A step that hands its result to `next`, which outlives it.
  virtual std::unique_ptr<TextSink> start(TextSink* next) const = 0;
  // What the step makes of a token in the middle of a text.
  virtual std::string middle(std::string token) const = 0;
  // Whether all tokens are one after it.
  virtual bool fuses() const { return false; }
};

// Joins the bytes of a byte alphabet into characters; what is not UTF-8 becomes U+FFFD.
class ByteLevelDecoder : public Decoder {
 public:
  std::unique_ptr<TextSink> start(TextSink* next) const override;
  std::string middle(std::string token) const override;
  bool fuses() const override { return true; }
};

// Puts blanks between words and none before continuing pieces.
class WordPieceDecoder : public Decoder {
 public:
  WordPieceDecoder(std::string prefix, bool cleanup)
      : prefix_(std::move(prefix)), cleanup_(cleanup) {}
  std::unique_ptr<TextSink> start(TextSink* next) const override;
  std::string middle(std::string token) const override { return decoded(token, false); }

  std::string decoded(const std::string& token, bool is_first) const;

 private:
  std::string prefix_;
  bool cleanup_;
};

// Puts a blank between tokens: what happens to a file without a decoder.
class BlankDecoder : public Decoder {
 public:
  std::unique_ptr<TextSink> start(TextSink* next) const override;
  std::string middle(std::string token) const override { return " " + token; }
};

// Writes a visible character as a blank, in the first token as nothing.
class MetaspaceDecoder : public Decoder {
 public:
  MetaspaceDecoder(std::string replacement, bool drops_first)
      : replacement_(std::move(replacement)), drops_first_(drops_first) {}
  std::unique_ptr<TextSink> start(TextSink* next) const override;
  std::string middle(std::string token) const override { return decoded(token, false); }

  std::string decoded(const std::string& token, bool is_first) const;

 private:
  std::string replacement_;
  bool drops_first_;
};

class ReplaceDecoder : public Decoder {
 public:
  ReplaceDecoder(TokenPattern pattern, std::string content)
      : pattern_(std::move(pattern)), content_(std::move(content)) {}
  std::unique_ptr<TextSink> start(TextSink* next) const override;
  std::string middle(std::string token) const override { return decoded(token); }

  std::string decoded(const std::string& token) const;

 private:
  TokenPattern pattern_;
  std::string content_;
};

// Joins runs of <0xNN> tokens into characters; a run that is not UTF-8 becomes one U+FFFD a byte.
class ByteFallbackDecoder : public Decoder {
 public:
  std::unique_ptr<TextSink> start(TextSink* next) const override;
  std::string middle(std::string token) const override;
};

// Makes one token of all.
class FuseDecoder : public Decoder {
 public:
  std::unique_ptr<TextSink> start(TextSink* next) const override;
  std::string middle(std::string token) const override { return token; }
  bool fuses() const override { return true; }
};

// Takes up to `start` times a character from the start of a token, up to `stop` times from its end.
class StripDecoder : public Decoder {
 public:
  // `is_fused`: a decoder before it has made one token of all.
  StripDecoder(std::string character, std::size_t start, std::size_t stop, bool is_fused)
      : character_(std::move(character)), start_(start), stop_(stop), is_fused_(is_fused) {}
  std::unique_ptr<TextSink> start(TextSink* next) const override;
  std::string middle(std::string token) const override;

 private:
  std::string character_;
  std::size_t start_, stop_;
  bool is_fused_;
};

}  // namespace fineprint::tokenizer
