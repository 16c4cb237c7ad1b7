// Replies of a vision-language model, one sequence at a time.
#include "nets/generator.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/core/threads.h"

#include "nets/torch_errors.h"

namespace fineprint::nets {
namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

std::vector<float> to_floats(const at::Tensor& row) {  // [n] or [1, n]
  const at::Tensor host = row.cpu().contiguous();
  const float* data = host.const_data_ptr<float>();
  return {data, data + host.numel()};
}

// The images in the order in which the messages show them.
std::vector<models::PixelInput> process_images(const models::ModelSpec& spec,
                                               const models::Request& request) {
  std::vector<models::PixelInput> inputs;
  for (const models::Message& message : request.messages) {
    for (const std::size_t image : message.images) {
      if (!spec.sees()) throw Error(ErrorCode::usage, format("{} takes no images", spec.name));
      inputs.push_back(process_image(spec.processor, request.images.at(image)));
    }
  }
  return inputs;
}

// Throws for a model that makes vectors only.
const models::ModelSpec& able_to_write(const models::ModelSpec& spec) {
  if (!spec.head.generates) {
    throw Error(ErrorCode::model, format("{}: {} models make vectors and write no replies; give a "
                                         "model that does as --generator",
                                         spec.dir, spec.family));
  }
  if (spec.head.pooling == models::Pooling::every_token) {
    log::warn("{} was trained to find pages, not to write: expect little of its replies",
              spec.name);
  }
  return spec;
}

// The reply's text as it grows.
class Writer {
 public:
  Writer(const text::Tokenizer& tokenizer, const models::SamplingOptions& options,
         models::Reply* reply)
      : decoder_(tokenizer, true), cutter_(options.stop), options_(options), reply_(reply) {}

  void push(std::int64_t id) { emit(cutter_.push(decoder_.push(static_cast<std::int32_t>(id)))); }
  void finish() {
    emit(cutter_.push(decoder_.finish()));
    emit(cutter_.finish());
  }
  bool stopped() const { return cutter_.stopped(); }

 private:
  void emit(const std::string& piece) {
    if (piece.empty()) return;
    reply_->text += piece;
    if (options_.on_text) options_.on_text(piece);
  }

  text::StreamDecoder decoder_;
  models::StopCutter cutter_;
  const models::SamplingOptions& options_;
  models::Reply* reply_;
};

}  // namespace

ReadPrompt read_prompt(const Multimodal& model, const std::string& text,
                       std::span<const models::PixelInput> images) {
  const models::TokenSequence sequence = model.tokenize(text, images);
  if (sequence.ids.empty()) throw Error(ErrorCode::input, "the prompt is empty");
  std::vector<at::Tensor> features;
  for (const models::PixelInput& image : images) {
    throw_if_interrupted();
    features.push_back(model.image_features(image));
  }
  ReadPrompt prompt;
  prompt.state = model.new_state();
  prompt.ids = sequence.ids;
  prompt.next_position = sequence.next_position;
  prompt.image_tokens = std::count(sequence.is_image.begin(), sequence.is_image.end(), 1);
  const at::Tensor hidden = model.read_prompt(sequence, model.embed(sequence, features),
                                              prompt.state.get(), /*last_only=*/true);
  prompt.logits = to_floats(model.logits(hidden));
  return prompt;
}

void read_token(const Multimodal& model, std::int64_t id, ReadPrompt* prompt) {
  const at::Tensor hidden = model.read_tokens({id}, prompt->next_position++, prompt->state.get());
  prompt->logits = to_floats(model.logits(hidden));
}

NativeGenerator::NativeGenerator(const models::ModelSpec& spec, const Device& device)
    : model_(able_to_write(spec), device) {}

ReadPrompt NativeGenerator::read(const models::Request& request) const {
  const std::vector<models::PixelInput> images = process_images(model_.spec(), request);
  const std::string text =
      models::chat_text(model_.spec().prompt, model_.tokenizer(), request.messages);
  return read_prompt(model_, text, images);
}

bool NativeGenerator::ends(std::int64_t id) const {
  const auto& ends = model_.spec().generation.end_tokens;
  return std::find(ends.begin(), ends.end(), id) != ends.end();
}

models::Reply NativeGenerator::generate(const models::Request& request,
                                        const models::SamplingOptions& options) const {
  return with_our_errors(name(), [&] { return reply_to(request, options); });
}

models::Choice NativeGenerator::choose(const models::Request& request,
                                       std::span<const std::string> candidates) const {
  return with_our_errors(name(), [&] { return score(request, candidates); });
}

models::Reply NativeGenerator::reply_to(const models::Request& request,
                                        const models::SamplingOptions& options) const {
  const Running running(model_.device());
  models::Sampler sampler(models::sampling_rule(options, model_.spec().generation), options.seed);
  const auto start = Clock::now();
  ReadPrompt prompt = read(request);
  for (const std::int64_t id : prompt.ids) sampler.saw(id);
  models::Reply reply;
  reply.prompt_tokens = static_cast<std::int64_t>(prompt.ids.size());
  reply.image_tokens = prompt.image_tokens;
  reply.prefill_ms = ms_since(start);

  const auto decode_start = Clock::now();
  Writer writer(model_.tokenizer(), options, &reply);
  const std::int64_t room = model_.decoder_spec().max_positions - reply.prompt_tokens;
  const std::int64_t limit = std::min<std::int64_t>(options.max_new_tokens, room);
  reply.finish = models::Finish::length;
  for (std::int64_t n = 0; n < limit; ++n) {
    if (options.cancelled != nullptr && options.cancelled->load()) {
      reply.finish = models::Finish::cancelled;
      break;
    }
    const std::int64_t id = sampler.next(prompt.logits);
    reply.tokens.push_back(models::score_token(prompt.logits, id));
    if (ends(id)) {
      reply.finish = models::Finish::end_token;
      break;
    }
    sampler.saw(id);
    writer.push(id);
    if (writer.stopped()) {
      reply.finish = models::Finish::stop_text;
      break;
    }
    if (n + 1 < limit) read_token(model_, id, &prompt);
  }
  writer.finish();
  reply.decode_ms = ms_since(decode_start);
  return reply;
}

double NativeGenerator::log_probability(const ReadPrompt& prompt,
                                        const std::string& candidate) const {
  std::vector<std::int64_t> ids;
  for (const text::Token& token : model_.tokenizer().encode(candidate, false)) {
    model_.check_token(token.id);
    ids.push_back(token.id);
  }
  if (ids.empty()) throw Error(ErrorCode::usage, "a reply to choose from is empty");
  double total = models::score_token(prompt.logits, ids[0]).log_probability;
  if (ids.size() == 1) return total;
  // All but the last token are read in one pass; each gives the odds of the next.
  const std::vector<std::int64_t> read(ids.begin(), ids.end() - 1);
  const auto state = prompt.state->fork();
  const at::Tensor hidden = model_.read_tokens(read, prompt.next_position, state.get());  // [T, h]
  const at::Tensor logits = model_.logits(hidden);                                        // [T, V]
  for (std::size_t t = 0; t < read.size(); ++t) {
    const std::vector<float> row = to_floats(logits[static_cast<std::int64_t>(t)]);
    total += models::score_token(row, ids[t + 1]).log_probability;
  }
  return total;
}

models::Choice NativeGenerator::score(const models::Request& request,
                                      std::span<const std::string> candidates) const {
  if (candidates.empty()) throw Error(ErrorCode::usage, "there is nothing to choose from");
  const Running running(model_.device());
  const ReadPrompt prompt = read(request);
  models::Choice choice;
  for (const std::string& candidate : candidates) {
    choice.log_probabilities.push_back(log_probability(prompt, candidate));
  }
  const auto best =
      std::max_element(choice.log_probabilities.begin(), choice.log_probabilities.end());
  choice.best = static_cast<std::size_t>(best - choice.log_probabilities.begin());
  double sum = 0;
  for (const double p : choice.log_probabilities) sum += std::exp(p - *best);
  for (const double p : choice.log_probabilities) {
    choice.probabilities.push_back(std::exp(p - *best) / sum);
  }
  return choice;
}

}  // namespace fineprint::nets
