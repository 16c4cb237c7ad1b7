// Trains encoders: texts and pictures in, unit vectors with gradients out.
#include "fineprint/nets/trained_encoder.h"

#include <algorithm>
#include <utility>

#include <ATen/ops/cat.h>
#include <ATen/ops/stack.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/unicode.h"
#include "fineprint/models/retriever.h"

#include "nets/encoders/page_encoder.h"
#include "nets/encoders/sentence_encoder.h"
#include "nets/generation/written_text.h"
#include "nets/weights/trainable.h"

namespace fineprint::nets {
namespace {

// Assumed length of a page before its picture is drawn and processed.
constexpr std::int64_t kTokensOfPage = 2048;

// Returns the beginning of a text that has at most this many tokens; 0: the full text. It cuts at
// the end of a token, counted in characters.
std::string cut_text(const tokenizer::Tokenizer& tokenizer, const std::string& text,
                     std::int64_t most) {
  if (most == 0) return text;
  const std::vector<tokenizer::Token> tokens = tokenizer.encode(text, false);
  if (std::ssize(tokens) <= most) return text;
  std::size_t at = 0;
  for (std::uint32_t character = 0; character < tokens[static_cast<std::size_t>(most) - 1].end;
       ++character) {
    next_code_point(text, &at);
  }
  return text.substr(0, at);
}

// Encoders of texts, whose trunk pools a sequence into one vector.
class TrainedTexts final : public TrainedEncoder {
 public:
  TrainedTexts(const models::ModelSpec& spec, const Device& device) : encoder_(spec, device) {}

  std::int64_t length(const EncoderInput& input) const override {
    return static_cast<std::int64_t>(tokens_of(input).size());
  }

  at::Tensor encode(std::span<const EncoderInput> inputs) const override {
    PackedTokens packed;
    for (const EncoderInput& input : inputs) {
      const std::vector<std::int64_t> ids = tokens_of(input);
      packed.ids.insert(packed.ids.end(), ids.begin(), ids.end());
      packed.offsets.push_back(static_cast<std::int64_t>(packed.ids.size()));
    }
    return encoder_.unit_vectors(packed);
  }

  // Never returns: require_writing throws for every text encoder.
  EncodedInputs encode_and_write(std::span<const EncoderInput>) const override {
    require_writing();
    return {};
  }
  void require_writing() const override {
    throw Error(ErrorCode::model,
                format("{} takes no pictures and writes no texts, which the chosen losses need",
                       encoder_.name()));
  }

 private:
  std::vector<std::int64_t> tokens_of(const EncoderInput& input) const {
    if (input.text == nullptr) {
      throw Error(ErrorCode::usage, format("{} takes no pictures, but an example has {}",
                                           encoder_.name(), *input.image));
    }
    const models::Prompt& prompt = encoder_.spec().prompt;
    const bool asks = input.role == models::TextRole::query;
    return encoder_.token_ids((asks ? prompt.query_prefix : prompt.passage_prefix) +
                              cut_text(encoder_.tokenizer(), *input.text, input.most_tokens));
  }

  SentenceEncoder encoder_;
};

// Vision-language models, which read pages and texts.
class TrainedPages final : public TrainedEncoder {
 public:
  TrainedPages(const models::ModelSpec& spec, const Device& device, Picture picture)
      : model_(spec, device), picture_(std::move(picture)) {}

  // An estimate, because the exact length needs the picture.
  std::int64_t length(const EncoderInput& input) const override {
    if (input.text == nullptr) {
      return kTokensOfPage + (input.written == nullptr ? 0 : std::ssize(written_ids(input)));
    }
    return std::ssize(ready_embedding(model_, filled(input), {}).tokens.ids);
  }

  at::Tensor encode(std::span<const EncoderInput> inputs) const override {
    const auto make = [&](std::size_t i) { return ready(inputs[i]); };
    return at::cat(unit_vectors(model_, inputs.size(), make));
  }

  EncodedInputs encode_and_write(std::span<const EncoderInput> inputs) const override {
    std::vector<std::vector<std::int64_t>> texts;
    // read_prompts takes prompts in batches, so texts are kept until their states come back.
    const auto make = [&](std::size_t i) {
      texts.push_back(inputs[i].written == nullptr ? std::vector<std::int64_t>()
                                                   : written_ids(inputs[i]));
      return with_text(ready(inputs[i]), texts.back());
    };
    std::vector<at::Tensor> vectors, surprise;
    std::size_t next = 0;
    read_prompts(model_, inputs.size(), make, [&](const at::Tensor& hidden) {
      const std::vector<std::int64_t>& text = texts[next++];
      const std::int64_t last = hidden.size(0) - std::ssize(text) - 1;  // of the page
      vectors.push_back(model_.vectors(hidden.narrow(0, last, 1)));
      if (!text.empty()) surprise.push_back(surprise_of(model_, hidden, text));
    });
    return {at::cat(vectors), surprise.empty() ? at::Tensor() : at::stack(surprise)};
  }

  // Each condition is needed so that text sees of a page only its last token; see
  // DecoderPart::summed_up.
  void require_writing() const override {
    const auto refuse = [&](const char* why) {
      throw Error(ErrorCode::model,
                  format("cannot train {} by writing: {}", model_.spec().name, why));
    };
    if (!model_.spec().sees()) refuse("it takes no pictures");
    if (!model_.spec().head.generates) refuse("it has no head that writes texts");
    const models::Decoder& decoder = model_.decoder_spec();
    const auto is_recurrent = [](models::LayerKind kind) {
      return kind == models::LayerKind::delta_rule || kind == models::LayerKind::short_convolution;
    };
    if (std::ranges::any_of(decoder.kinds, is_recurrent)) {
      refuse("its recurrent layers would see the page through more than one token");
    }
    if (decoder.prompt_bidirectional) refuse("the tokens of its prompts see later ones");
  }

 private:
  ReadyPrompt ready(const EncoderInput& input) const {
    return input.text != nullptr ? ready_embedding(model_, filled(input), {})
                                 : ready_page(model_, shown(*input.image));
  }

  // Returns the ids of the text that is printed on a picture.
  std::vector<std::int64_t> written_ids(const EncoderInput& input) const {
    std::vector<std::int64_t> ids;
    const std::string text =
        models::plain_text(model_.spec().prompt, model_.tokenizer(), *input.written);
    for (const tokenizer::Token& token : model_.tokenizer().encode(text, false)) {
      if (input.most_tokens > 0 && std::ssize(ids) == input.most_tokens) break;
      model_.check_token(token.id);
      ids.push_back(token.id);
    }
    if (ids.empty()) {
      throw Error(ErrorCode::input,
                  format("{}: the text \"{}\" gives no tokens", *input.image, *input.written));
    }
    return ids;
  }

  // Appends the text to a page. The text sees only the page's last token; see DecoderPart.
  ReadyPrompt with_text(ReadyPrompt page, const std::vector<std::int64_t>& text) const {
    if (text.empty()) return page;
    page.summed_up = std::ssize(page.tokens.ids);
    append_text(model_, text, &page.tokens);
    return page;
  }

  std::string filled(const EncoderInput& input) const {
    const models::Prompt& prompt = model_.spec().prompt;
    const std::string text = cut_text(model_.tokenizer(), *input.text, input.most_tokens);
    return input.role == models::TextRole::query ? models::query_prompt(prompt, text)
                                                 : models::passage_prompt(prompt, text);
  }

  // Training shows the model the same picture that indexing does.
  Image shown(const std::string& name) const {
    return models::shown_to(model_.spec().raster, picture_(name));
  }

  Multimodal model_;
  Picture picture_;
};

// The losses compare one vector of a query with one of each passage.
void check_encoder(const models::ModelSpec& spec, const Device& device) {
  check_trainable(spec, device);
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::model, format("cannot train {}: {}", spec.name, why));
  };
  if (spec.head.pair) refuse("it is a cross-encoder, which gives no vectors");
  if (spec.head.vocabulary) refuse("it weighs tokens, but the losses need one vector");
  if (spec.head.pooling == models::Pooling::every_token) {
    refuse("it gives one vector for each token, but the losses need one in all");
  }
  if (!device.trained->lora && !spec.head.dense.empty()) {
    refuse("its dense layers are in separate files; train low-rank changes (--lora-rank)");
  }
}

}  // namespace

std::unique_ptr<TrainedEncoder> open_trained_encoder(const models::ModelSpec& spec,
                                                     const models::DeviceOptions& options,
                                                     Trained* trained,
                                                     TrainedEncoder::Picture picture) {
  Device device = resolve_device(options);
  device.trained = trained;
  check_encoder(spec, device);
  const Running running(device);
  std::unique_ptr<TrainedEncoder> encoder;
  if (models::retriever_kind(spec) == models::RetrieverKind::text) {
    encoder = std::make_unique<TrainedTexts>(spec, device);
  } else {
    encoder = std::make_unique<TrainedPages>(spec, device, std::move(picture));
  }
  check_targets(spec, *trained);
  return encoder;
}

}  // namespace fineprint::nets
