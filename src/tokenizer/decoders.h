// The decoders of the tokenizers format, as steps of a chain that processes one token at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/token_pattern.h"

namespace fineprint::tokenizer {

// Receives text: a step of a decoder, or the end of the chain. A token may arrive in several parts.
// Each part consists of complete characters, except between the steps that turn bytes into
// characters.
class TextSink {
 public:
  virtual ~TextSink() = default;
  // Adds a part of the current token.
  virtual void add(std::string_view part) = 0;
  // Ends the current token.
  virtual void end_token() = 0;
  // Ends the text. After that, the step can start a new text.
  virtual void finish() = 0;
};

// One decoder of the file. Immutable and thread-safe.
class Decoder {
 public:
  virtual ~Decoder() = default;
  // Returns a step that passes its result to `next`, which must outlive it.
  virtual std::unique_ptr<TextSink> start(TextSink* next) const = 0;
  // Returns what the step makes of a token in the middle of a text.
  virtual std::string middle(std::string token) const = 0;
  // Returns true if the step joins all tokens into one.
  virtual bool fuses() const { return false; }
};

// Joins the bytes of a byte alphabet into characters. Invalid UTF-8 becomes U+FFFD.
class ByteLevelDecoder : public Decoder {
 public:
  std::unique_ptr<TextSink> start(TextSink* next) const override;
  std::string middle(std::string token) const override;
  bool fuses() const override { return true; }
};

// Puts blanks between words, and none before pieces that continue a word.
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

// Puts a blank between tokens. Used if a file has no decoder, as in the reference library.
class BlankDecoder : public Decoder {
 public:
  std::unique_ptr<TextSink> start(TextSink* next) const override;
  std::string middle(std::string token) const override { return " " + token; }
};

// Writes a visible character as a blank, or as nothing in the first token.
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

// Replaces each match of a pattern by `content`.
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

// Joins runs of <0xNN> tokens into characters. In a run that is not UTF-8, each byte becomes
// U+FFFD.
class ByteFallbackDecoder : public Decoder {
 public:
  std::unique_ptr<TextSink> start(TextSink* next) const override;
  std::string middle(std::string token) const override;
};

// Joins all tokens into one.
class FuseDecoder : public Decoder {
 public:
  std::unique_ptr<TextSink> start(TextSink* next) const override;
  std::string middle(std::string token) const override { return token; }
  bool fuses() const override { return true; }
};

// Removes a character up to `start` times from the start of a token and up to `stop` times from its
// end.
class StripDecoder : public Decoder {
 public:
  // `is_fused`: a decoder before this one has joined all tokens into one.
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
