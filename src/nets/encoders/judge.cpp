// Runs language models that judge whether a document answers a question.
#include "nets/encoders/judge.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/nets/torch_errors.h"

#include "nets/weights/own_thread.h"

namespace fineprint::nets {
namespace {

// Applies the logistic function: a difference of logits becomes a probability.
std::vector<double> chances(std::vector<double> leanings) {
  for (double& leaning : leanings) leaning = 1 / (1 + std::exp(-leaning));
  return leanings;
}

// Removes the tokens [begin, end).
void cut_out(std::size_t begin, std::size_t end, models::TokenSequence* tokens) {
  const auto erase = [&](auto* list) {
    const auto at = list->begin();
    list->erase(at + static_cast<std::ptrdiff_t>(begin), at + static_cast<std::ptrdiff_t>(end));
  };
  erase(&tokens->ids);
  erase(&tokens->is_image);
}

}  // namespace

Judge::Judge(const models::ModelSpec& spec, const Device& device) : model_(spec, device) {
  if (!spec.prompt.judge || (!spec.head.generates && spec.head.verdicts == 0)) {
    throw Error(ErrorCode::model,
                format("{}: {} models cannot judge documents", spec.dir, spec.family));
  }
  if (spec.head.generates) {
    yes_ = word_token("yes");
    no_ = word_token("no");
  }
  const auto positions = static_cast<std::size_t>(model_.decoder_spec().max_positions);
  most_tokens_ = std::min(static_cast<std::size_t>(spec.prompt.judge->max_tokens), positions);
  tokens_behind_ = model_.tokenizer().encode(spec.prompt.judge->after_document, false).size();
}

// The verdict is the probability of one next token, so the word must be one token.
std::int64_t Judge::word_token(const std::string& word) const {
  const std::vector<tokenizer::Token> tokens = model_.tokenizer().encode(word, false);
  if (tokens.size() != 1) {
    throw Error(
        ErrorCode::model,
        format("{}: the tokenizer has no single token for \"{}\", so the model cannot judge",
               model_.spec().tokenizer_path, word));
  }
  model_.check_token(tokens[0].id);
  return tokens[0].id;
}

models::TokenSequence Judge::text_tokens(const std::string& question,
                                         const std::string& passage) const {
  const models::Prompt& prompt = model_.spec().prompt;
  const int first = model_.first_position();
  models::TokenSequence tokens = models::tokenize(
      prompt, model_.tokenizer(),
      models::judged_text(prompt, model_.tokenizer(), question, passage), {}, first);
  if (const std::size_t length = tokens.ids.size(); length > most_tokens_) {
    // The document's end is cut and not the prompt's: the text after the document asks for the
    // verdict.
    const std::size_t kept = most_tokens_ - std::min(most_tokens_, tokens_behind_);
    cut_out(kept, length - std::min(length, tokens_behind_), &tokens);
    models::set_positions(prompt, {}, first, &tokens);
  }
  for (const std::int64_t id : tokens.ids) model_.check_token(id);
  return tokens;
}

models::TokenSequence Judge::page_tokens(const std::string& question,
                                         const preprocess::PixelInput& page) const {
  const models::Prompt& prompt = model_.spec().prompt;
  return model_.tokenize(models::judged_image(prompt, model_.tokenizer(), question), {&page, 1});
}

// Differences of logits and not probabilities: these keep their order even if both words are
// unlikely.
std::vector<double> Judge::leanings(std::size_t count,
                                    const std::function<ReadyPrompt(std::size_t)>& make) const {
  if (count == 0) return {};
  const Running running(model_.device());
  std::vector<at::Tensor> last;
  read_prompts(model_, count, make, [&](const at::Tensor& hidden) {
    // Cloned, so that the other rows of the batch are freed.
    last.push_back(hidden.narrow(0, hidden.size(0) - 1, 1).clone());
  });
  const at::Tensor logits = model_.logits(at::cat(last)).cpu();  // [count, words or verdicts]
  at::Tensor leaning = logits.select(1, yes_);
  if (model_.spec().head.verdicts != 1) leaning = leaning - logits.select(1, no_);
  leaning = leaning.contiguous();
  const float* values = leaning.const_data_ptr<float>();
  return {values, values + count};
}

std::vector<double> Judge::score(const std::string& question,
                                 std::span<const std::string> passages) const {
  const auto make = [&](std::size_t i) {
    return ready_prompt(model_, text_tokens(question, passages[i]), {});
  };
  return with_all_errors(name(), [&] {
    return on_own_thread([&] { return chances(leanings(passages.size(), make)); });
  });
}

std::vector<double> Judge::score_pages(const std::string& question,
                                       std::span<const SharedImage> pages) const {
  if (!sees()) return Reranker::score_pages(question, pages);
  const auto make = [&](std::size_t i) {
    const preprocess::PixelInput page =
        preprocess::process_image(model_.spec().processor, *pages[i]);
    return ready_prompt(model_, page_tokens(question, page), {&page, 1});
  };
  return with_all_errors(
      name(), [&] { return on_own_thread([&] { return chances(leanings(pages.size(), make)); }); });
}

}  // namespace fineprint::nets
