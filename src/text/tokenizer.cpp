// The WordPiece tokenizer: added tokens, words, pieces, template; and the way back.
#include "fineprint/text/tokenizer.h"

#include "fineprint/text/unicode.h"

#include "text/tokenizer_file.h"

namespace fineprint::text {
namespace {

std::uint32_t code_points(std::string_view utf8) {
  std::uint32_t count = 0;
  for (std::size_t at = 0; at < utf8.size(); ++count) next_code_point(utf8, &at);
  return count;
}

void replace_all(std::string_view from, std::string_view to, std::string* text) {
  for (std::size_t at = text->find(from); at != std::string::npos;
       at = text->find(from, at + to.size())) {
    text->replace(at, from.size(), to);
  }
}

// Undoes the blanks that joining puts around punctuation and English clitics.
// Source: `cleanup` of the WordPiece decoder of Hugging Face tokenizers, same order.
void clean_up(std::string* text) {
  static constexpr std::pair<std::string_view, std::string_view> kRules[] = {
      {" .", "."},   {" ?", "?"},     {" !", "!"},    {" ,", ","},
      {" ' ", "'"},  {" n't", "n't"}, {" 'm", "'m"},  {" do not", " don't"},
      {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
  for (const auto& [from, to] : kRules) replace_all(from, to, text);
}

class WordPieceTokenizer : public Tokenizer {
 public:
  explicit WordPieceTokenizer(TokenizerFile file)
      : splitter_(file.normalizer),
        model_(std::move(file.vocabulary), std::move(file.model)),
        added_(std::move(file.added_tokens)),
        single_(std::move(file.single)),
        pair_(std::move(file.pair)),
        decoder_(std::move(file.decoder)) {}

  std::vector<Token> encode(std::string_view utf8, bool add_special_tokens) const override {
    if (!add_special_tokens) return pieces(utf8);
    return fill(single_, pieces(utf8), {});
  }

  std::vector<Token> encode_pair(std::string_view first, std::string_view second) const override {
    return fill(pair_, pieces(first), pieces(second));
  }

  std::size_t count(std::string_view utf8) const override { return pieces(utf8).size(); }

  std::string decode(const std::vector<std::int32_t>& ids,
                     bool skip_special_tokens) const override {
    std::string out;
    bool is_first = true;
    for (const std::int32_t id : ids) {
      const std::string* token = token_of(id, skip_special_tokens);
      if (token == nullptr) continue;
      out += decoded(*token, is_first);
      is_first = false;
    }
    return out;
  }

  std::int32_t id_of(std::string_view token) const override {
    for (const AddedToken& added : added_.all()) {
      if (added.content == token) return added.id;
    }
    return model_.id_of(token);
  }

 private:
  std::vector<Token> pieces(std::string_view utf8) const {
    std::vector<Token> out;
    BertWords words;
    std::vector<WordPiecePart> parts;
    std::uint32_t position = 0;
    for (const Stretch& stretch : added_.split(utf8)) {
      const std::string_view text = utf8.substr(stretch.begin, stretch.end - stretch.begin);
      if (stretch.id >= 0) {
        const std::uint32_t end = position + code_points(text);
        out.push_back({stretch.id, position, end});
        position = end;
        continue;
      }
      words.text.clear();
      words.origins.clear();
      words.ends.clear();
      position += splitter_.split(text, position, &words);
      append_pieces(words, &parts, &out);
    }
    return out;
  }

  void append_pieces(const BertWords& words, std::vector<WordPiecePart>* parts,
                     std::vector<Token>* out) const {
    const std::string_view text = words.text;
    std::uint32_t begin = 0;
    for (const std::uint32_t end : words.ends) {
      parts->clear();
      model_.cut(text.substr(begin, end - begin), parts);
      for (const WordPiecePart& part : *parts) {
        out->push_back(
            {part.id, words.origins[begin + part.begin], words.origins[begin + part.end - 1] + 1});
      }
      begin = end;
    }
  }

  static std::vector<Token> fill(const std::vector<TemplateStep>& steps, std::vector<Token> first,
                                 std::vector<Token> second) {
    std::vector<Token> out;
    out.reserve(first.size() + second.size() + steps.size());
    for (const TemplateStep& step : steps) {
      for (const std::int32_t id : step.ids) out.push_back({id, 0, 0, step.type});
      if (step.kind == TemplateStep::Kind::special) continue;
      for (Token token : step.kind == TemplateStep::Kind::first ? first : second) {
        token.type = step.type;
        out.push_back(token);
      }
    }
    return out;
  }

  // nullptr for an id that stands for nothing, or is to be skipped.
  const std::string* token_of(std::int32_t id, bool skip_special_tokens) const {
    const AddedToken* added = added_.find(id);
    if (added == nullptr) return model_.token_of(id);
    return added->special && skip_special_tokens ? nullptr : &added->content;
  }

  std::string decoded(const std::string& token, bool is_first) const {
    if (!decoder_) return is_first ? token : " " + token;
    const bool continues = !is_first && token.starts_with(decoder_->prefix);
    std::string text = continues  ? token.substr(decoder_->prefix.size())
                       : is_first ? token
                                  : " " + token;
    if (decoder_->cleanup) clean_up(&text);
    return text;
  }

  BertSplitter splitter_;
  WordPiece model_;
  AddedTokens added_;
  std::vector<TemplateStep> single_, pair_;
  std::optional<WordPieceDecoder> decoder_;
};

}  // namespace

std::unique_ptr<Tokenizer> Tokenizer::load(const std::string& tokenizer_json_path) {
  return std::make_unique<WordPieceTokenizer>(read_tokenizer_file(tokenizer_json_path));
}

}  // namespace fineprint::text
