// Verifies text encoders: one vector for each sentence or token, or one score for each pair.
#include <ATen/TensorOperators.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include "fineprint/core/format.h"

#include "nets/encoders/cross_encoder.h"
#include "nets/encoders/late_text_encoder.h"
#include "nets/encoders/sentence_encoder.h"
#include "nets/encoders/sparse_encoder.h"
#include "nets/verify/ways.h"

namespace fineprint::nets {
namespace {

// Cloned, because the matrix is often a temporary.
at::Tensor to_tensor(const Matrix& matrix) {
  return at::from_blob(
             const_cast<float*>(matrix.values.data()),
             {static_cast<std::int64_t>(matrix.rows), static_cast<std::int64_t>(matrix.cols)},
             at::kFloat)
      .clone();
}

// Texts of one kind, padded to the width of the expected tensors.
struct PaddedTexts {
  std::vector<std::int64_t> ids, mask, kept;
  std::vector<at::Tensor> vectors;  // [width, dim], 0 in padding
  std::vector<at::Tensor> counted;  // only the rows that are kept
};

// Pads with 0, as the reference's masks do.
PaddedTexts encode(const LateTextEncoder& encoder, const Json& texts, models::TextRole role,
                   std::int64_t width) {
  PaddedTexts result;
  for (const Json& text : texts) {
    LateTextEncoder::Tokens tokens = encoder.tokens(text.get<std::string>(), role);
    const at::Tensor rows = to_tensor(encoder.vectors(tokens));  // [T, dim]
    at::Tensor padded = at::zeros({width, rows.size(1)});
    padded.narrow(0, 0, std::min(width, rows.size(0)))
        .copy_(rows.narrow(0, 0, std::min(width, rows.size(0))));
    result.vectors.push_back(padded);
    std::vector<std::int64_t> keep;
    for (std::int64_t t = 0; t < width; ++t) {
      const bool there = t < static_cast<std::int64_t>(tokens.ids.size());
      result.ids.push_back(there ? tokens.ids[t] : 0);
      result.mask.push_back(t < tokens.attended ? 1 : 0);
      const bool kept = there && tokens.is_kept[t] != 0;
      result.kept.push_back(kept ? 1 : 0);
      if (kept) keep.push_back(t);
    }
    result.counted.push_back(padded.index_select(0, at::tensor(keep, at::kLong)));
  }
  return result;
}

// Compares only the rows that were read. In its padding, the reference computed something
// meaningless.
void compare_vectors(CaseCheck* check, const std::string& name, const PaddedTexts& texts,
                     const std::vector<std::int64_t>& real) {
  if (!check->has(name)) return;
  const at::Tensor ours = at::stack(texts.vectors);  // [n, width, dim]
  const at::Tensor mask = at::tensor(real, at::kFloat).view({ours.size(0), ours.size(1), 1});
  check->see(name);
  check->compare_with(name, check->expected(name) * mask, ours * mask,
                      check->tolerance({"embeddings"}));
}

}  // namespace

// Sentences of one case run together, so batches of different lengths are checked too.
void verify_sentences(CaseCheck* check) {
  const SentenceEncoder encoder(check->spec(), check->device());
  const auto sentences = check->facts().at("sentences").get<std::vector<std::string>>();
  const std::string& prefix = check->spec().prompt.passage_prefix;
  std::vector<std::int64_t> flat, offsets = {0};
  for (const std::string& sentence : sentences) {
    const std::vector<std::int64_t> ids = encoder.token_ids(prefix + sentence);
    flat.insert(flat.end(), ids.begin(), ids.end());
    offsets.push_back(static_cast<std::int64_t>(flat.size()));
  }
  check->compare("ids.flat", flat);
  check->compare("ids.offsets", offsets);
  const double tolerance = check->tolerance({"embeddings"});
  const at::Tensor rows = to_tensor(encoder.embed(sentences, models::TextRole::passage));
  check->compare("embeddings", rows, tolerance);
  if (check->has("query_embeddings")) {  // the same texts with the prefix of queries
    check->compare("query_embeddings", to_tensor(encoder.embed(sentences, models::TextRole::query)),
                   tolerance);
  }
  check->compare("cosine", at::matmul(rows, rows.t()),
                 2 * tolerance);  // both factors have an error
  const double hidden = check->tolerance({"hidden"});
  encoder.trace(prefix + sentences.at(0), [&](const std::string& name, const at::Tensor& value) {
    check->compare("sentence0." + name, value, hidden);
  });
  if (!check->held()) return;
  const SentenceEncoder held(check->spec(), *check->held());
  check->compare_held("embeddings", to_tensor(held.embed(sentences, models::TextRole::passage)),
                      check->tolerance({"held"}));
}

// Weights are compared as the model gives them, before they are rounded to steps for posting lists.
void verify_sparse_texts(CaseCheck* check) {
  const SparseEncoder encoder(check->spec(), check->device());
  std::vector<std::int64_t> flat, offsets = {0};
  std::vector<at::Tensor> passages, questions;
  for (const Json& sentence : check->facts().at("sentences")) {
    const auto text = sentence.get<std::string>();
    const auto weights_as = [&](models::TextRole role) {
      return encoder.weights_of(encoder.token_ids(text, role), role);
    };
    const std::vector<std::int64_t> ids = encoder.token_ids(text, models::TextRole::passage);
    flat.insert(flat.end(), ids.begin(), ids.end());
    offsets.push_back(static_cast<std::int64_t>(flat.size()));
    passages.push_back(weights_as(models::TextRole::passage));
    questions.push_back(weights_as(models::TextRole::query));
  }
  check->compare("ids.flat", flat);
  check->compare("ids.offsets", offsets);
  const double tolerance = check->tolerance({"weights"});
  check->compare("weights", at::stack(passages), tolerance);
  check->compare("query_weights", at::stack(questions), tolerance);
}

void verify_late_texts(CaseCheck* check) {
  const Json& facts = check->facts();
  const LateTextEncoder encoder(check->spec(), check->device());
  const auto width = [&](const char* name) { return check->expected(name).size(1); };
  const PaddedTexts queries =
      encode(encoder, facts.at("queries"), models::TextRole::query, width("query.input_ids"));
  const PaddedTexts docs =
      encode(encoder, facts.at("docs"), models::TextRole::passage, width("doc.input_ids"));
  check->compare("query.input_ids", queries.ids);
  check->compare("query.attention_mask", queries.mask);
  check->compare("doc.input_ids", docs.ids);
  check->compare("doc.attention_mask", docs.mask);
  check->compare("doc.keep_mask", docs.kept);
  compare_vectors(check, "query.embeddings", queries, queries.kept);
  compare_vectors(check, "doc.embeddings", docs, docs.kept);
  check->compare("scores", late_scores(queries.counted, docs.counted),
                 check->tolerance({"scores"}));

  // The reference ran both variants of ColBERT; see Prompt::attend_to_fill.
  models::ModelSpec attending = check->spec();
  attending.prompt.attend_to_fill = true;
  const LateTextEncoder other(attending, check->device());
  const PaddedTexts attended =
      encode(other, facts.at("queries"), models::TextRole::query, width("query.input_ids"));
  compare_vectors(check, "query.embeddings_attend_to_mask", attended, attended.kept);
  check->compare("scores_attend_to_mask", late_scores(attended.counted, docs.counted),
                 check->tolerance({"scores"}));
}

// Checks the tokens of each pair first: a wrong frame would explain wrong logits.
void verify_pairs(CaseCheck* check) {
  const CrossEncoder encoder(check->spec(), check->device());
  std::vector<CrossEncoder::Pair> pairs;
  std::vector<std::int64_t> flat, types, offsets = {0};
  for (const Json& pair : check->facts().at("pairs")) {
    pairs.push_back(encoder.pair(pair.at(0).get<std::string>(), pair.at(1).get<std::string>()));
    const CrossEncoder::Pair& made = pairs.back();
    flat.insert(flat.end(), made.ids.begin(), made.ids.end());
    types.insert(types.end(), made.types.begin(), made.types.end());
    offsets.push_back(static_cast<std::int64_t>(flat.size()));
  }
  check->compare("ids.flat", flat);
  check->compare("ids.offsets", offsets);
  check->compare("types.flat", types);
  check->compare("logits", at::tensor(encoder.logits(pairs), at::kDouble),
                 check->tolerance({"logits"}));
  const double hidden = check->tolerance({"hidden"});
  encoder.trace(pairs.at(0), [&](const std::string& name, const at::Tensor& value) {
    check->compare("pair0." + name, value, hidden);
  });
}

}  // namespace fineprint::nets
