// Runs the components of a tokenizer: added tokens, normalizer, pre-tokenizer, model, template,
// decoder.
#include "fineprint/tokenizer/tokenizer.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/unicode.h"

#include "tokenizer/tokenizer_file.h"

namespace fineprint::tokenizer {
namespace {

// Offsets have 32 bits, and normalizing may lengthen text.
constexpr std::size_t kMaxTextBytes = std::size_t{1} << 30;

// Returns a finder of the tokens that are searched for in raw text, or in normalized text.
TokenFinder finder_of(const TokenizerFile& file, bool is_normalized) {
  std::vector<AddedToken> tokens;
  std::copy_if(file.added_tokens.begin(), file.added_tokens.end(), std::back_inserter(tokens),
               [&](const AddedToken& token) { return token.normalized == is_normalized; });
  return TokenFinder(std::move(tokens));
}

// Collects text at the end of a decoder chain.
class StringSink : public TextSink {
 public:
  void add(std::string_view part) override { text_ += part; }
  void end_token() override {}
  void finish() override {}
  std::string take() { return std::exchange(text_, {}); }

 private:
  std::string text_;
};

class PipelineTokenizer : public Tokenizer {
 public:
  explicit PipelineTokenizer(TokenizerFile file)
      : raw_finder_(finder_of(file, false)),
        normal_finder_(finder_of(file, true)),
        added_(file.added_tokens),
        file_(std::move(file)) {}

  std::vector<Token> encode(std::string_view utf8, bool add_special_tokens) const override {
    return fill(file_.post_processor.single, pieces(utf8), {}, add_special_tokens);
  }

  std::vector<Token> encode_pair(std::string_view first, std::string_view second) const override {
    return fill(file_.post_processor.pair, pieces(first), pieces(second), true);
  }

  std::size_t count(std::string_view utf8) const override { return pieces(utf8).size(); }

  std::string decode(const std::vector<std::int32_t>& ids,
                     bool skip_special_tokens) const override {
    const auto state = start_decoding(skip_special_tokens);
    std::string out;
    for (const std::int32_t id : ids) out += state->push(id);
    return out + state->finish();
  }

  std::int32_t id_of(std::string_view token) const override {
    // Added tokens come first, because they may redefine a token of the model.
    const std::int32_t id = added_.id_of(token);
    return id >= 0 ? id : file_.model->vocabulary().id_of(token);
  }

  std::size_t vocab_size() const override {
    return std::max(added_.size(), file_.model->vocabulary().size());
  }

  std::string token(std::int32_t id) const override {
    const AddedToken* added = added_.find(id);
    const std::string* text = added != nullptr ? &added->content : text_of(id);
    return text == nullptr ? std::string() : *text;
  }

  std::string token_bytes(std::int32_t id) const override {
    const std::string* text = text_of(id);
    if (text == nullptr) return {};
    std::string out = *text;
    for (const auto& decoder : file_.decoders) out = decoder->middle(std::move(out));
    return out;
  }

  bool is_special(std::int32_t id) const override {
    const std::string* text = text_of(id);
    return text != nullptr && added_.is_special(*text);
  }

  std::unique_ptr<DecodeState> start_decoding(bool skip_special_tokens) const override;

 private:
  class Decoding;

  // Returns the text that a decoder processes; nullptr for an unknown id.
  const std::string* text_of(std::int32_t id) const {
    const AddedToken* added = added_.find(id);
    return added != nullptr ? &added->pattern : file_.model->vocabulary().token_of(id);
  }

  std::vector<Token> pieces(std::string_view utf8) const {
    if (utf8.size() > kMaxTextBytes) {
      throw Error(ErrorCode::too_large,
                  fineprint::format("a text of {} bytes is too long to tokenize at once (limit {})",
                                    utf8.size(), kMaxTextBytes));
    }
    const std::string valid = valid_utf8(utf8);
    std::vector<Token> out;
    std::size_t at = 0;          // in bytes
    std::uint32_t position = 0;  // the same position in code points
    for (const TextPart& part : raw_finder_.split(valid)) {
      // Counts code points only between parts: counting from the start each time would be
      // quadratic.
      const auto between = [&](std::size_t begin, std::size_t end) {
        return code_point_count(std::string_view(valid).substr(begin, end - begin));
      };
      // A part may start before the end of the last one, inside blanks that both include.
      position = part.begin >= at ? position + between(at, part.begin)
                                  : position - between(part.begin, at);
      at = part.begin;
      const auto text = std::string_view(valid).substr(at, part.end - at);
      if (part.id >= 0) {
        add({part.id, position, position + code_point_count(text)}, text, &out);
      } else {
        add_text(raw_text(text, position), &out);
      }
    }
    return out;
  }

  void add(Token token, std::string_view token_text, std::vector<Token>* out) const {
    // A file may have several steps that trim, and each of them applies.
    for (const bool had_prefix_space : file_.post_processor.trims) {
      trim_offsets(token_text, out->empty(), had_prefix_space, &token);
    }
    out->push_back(token);
  }

  // Adds text that contains no raw added tokens.
  void add_text(NormalText text, std::vector<Token>* out) const {
    if (file_.normalizer != nullptr) file_.normalizer->apply(&text);
    if (text.empty()) return;
    const std::vector<TextPart> parts = normal_finder_.split(text.text);
    // Usually there is no added token; then the text need not be copied.
    if (parts.size() == 1 && parts[0].id < 0) return add_normal_text(std::move(text), out);
    for (const TextPart& part : parts) {
      const Range range{static_cast<std::uint32_t>(part.begin),
                        static_cast<std::uint32_t>(part.end)};
      if (part.id >= 0) {
        const Origin origin = text.origin_of(range);
        add({part.id, origin.begin, origin.end}, text.view(range), out);
        continue;
      }
      NormalText between;
      between.append(text, range);
      add_normal_text(std::move(between), out);
    }
  }

  void add_normal_text(NormalText text, std::vector<Token>* out) const {
    Pieces pieces;
    // The first origin becomes the start, because a pre-tokenizer may ask whether the input begins
    // here.
    text.first = text.origins.front().begin;
    pieces.ranges.push_back({0, static_cast<std::uint32_t>(text.text.size())});
    pieces.text = std::move(text);
    if (file_.pre_tokenizer != nullptr) file_.pre_tokenizer->apply(&pieces);
    std::vector<ModelToken> tokens;
    // Most pieces are one or two tokens.
    tokens.reserve(pieces.ranges.size() * 2);
    file_.model->tokenize(pieces.text.text, pieces.ranges, &tokens);
    out->reserve(out->size() + tokens.size());
    for (const ModelToken& token : tokens) {
      const Origin origin = pieces.text.origin_of(token.range);
      add({token.id, origin.begin, origin.end}, *file_.model->vocabulary().token_of(token.id), out);
    }
  }

  TokenFinder raw_finder_, normal_finder_;
  AddedTokens added_;
  TokenizerFile file_;
};

// A chain of decoders that processes one text.
class PipelineTokenizer::Decoding : public DecodeState {
 public:
  Decoding(const PipelineTokenizer& tokenizer, bool skip_special_tokens)
      : tokenizer_(tokenizer), skip_special_tokens_(skip_special_tokens) {
    const auto& decoders = tokenizer.file_.decoders;
    // Steps are made from the last to the first, because each one needs the next.
    for (auto decoder = decoders.rbegin(); decoder != decoders.rend(); ++decoder) {
      steps_.push_back((*decoder)->start(first()));
    }
  }

  std::string push(std::int32_t id) override {
    const std::string* text = tokenizer_.text_of(id);
    if (text == nullptr) return {};
    if (skip_special_tokens_ && tokenizer_.added_.is_special(*text)) return {};
    first()->add(*text);
    first()->end_token();
    return sink_.take();
  }

  std::string finish() override {
    first()->finish();
    return sink_.take();
  }

 private:
  TextSink* first() { return steps_.empty() ? &sink_ : steps_.back().get(); }

  const PipelineTokenizer& tokenizer_;
  bool skip_special_tokens_;
  StringSink sink_;
  std::vector<std::unique_ptr<TextSink>> steps_;  // the last one receives tokens
};

std::unique_ptr<DecodeState> PipelineTokenizer::start_decoding(bool skip_special_tokens) const {
  return std::make_unique<Decoding>(*this, skip_special_tokens);
}

[[noreturn]] void refuse_look_up() {
  throw Error(ErrorCode::internal, "this tokenizer has no vocabulary to look up tokens in");
}

}  // namespace

std::size_t Tokenizer::vocab_size() const { refuse_look_up(); }
std::string Tokenizer::token(std::int32_t) const { refuse_look_up(); }
std::string Tokenizer::token_bytes(std::int32_t) const { refuse_look_up(); }
bool Tokenizer::is_special(std::int32_t) const { refuse_look_up(); }
std::unique_ptr<DecodeState> Tokenizer::start_decoding(bool) const { refuse_look_up(); }

std::unique_ptr<Tokenizer> assemble(TokenizerFile file) {
  return std::make_unique<PipelineTokenizer>(std::move(file));
}

std::unique_ptr<Tokenizer> Tokenizer::load(const std::string& tokenizer_json_path) {
  return assemble(read_tokenizer_file(tokenizer_json_path));
}

}  // namespace fineprint::tokenizer
