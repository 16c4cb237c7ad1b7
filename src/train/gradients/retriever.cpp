// Trains an encoder of questions and pages.
#include "train/gradients/retriever.h"

#include <algorithm>
#include <vector>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/tensor.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/core/threads.h"
#include "fineprint/models/checkpoint.h"

#include "train/gradients/batches.h"
#include "train/gradients/gradient_cache.h"
#include "train/gradients/retriever_loss.h"
#include "train/gradients/trained_folder.h"
#include "train/gradients/training_run.h"
#include "train/training_name.h"

namespace fineprint::train {
namespace {

using Inputs = std::span<const nets::EncoderInput>;

Inputs part_of(Inputs inputs, const Chunk& chunk) {
  return inputs.subspan(static_cast<std::size_t>(chunk.begin),
                        static_cast<std::size_t>(chunk.end - chunk.begin));
}

// Lengths in tokens decide, because pictures take many more tokens than questions.
std::vector<Chunk> chunks_of_inputs(const nets::TrainedEncoder& encoder, Inputs inputs,
                                    std::int64_t most) {
  std::vector<std::int64_t> lengths;
  for (const nets::EncoderInput& input : inputs) lengths.push_back(encoder.length(input));
  return chunks_of(lengths, most);
}

// Makes the texts of the pages the questions. If the loss writes these texts, they are also set as
// the text to write for their pages.
void teach_pages(const RetrieverOptions& options, Batch* batch) {
  const auto count = static_cast<std::size_t>(batch->questions);
  for (std::size_t b = 0; b < count; ++b) {
    nets::EncoderInput &text = batch->inputs[b], &page = batch->inputs[count + b];
    text.most_tokens = page.most_tokens = options.text_tokens;
    if (options.loss != RetrieverLoss::retrieved) page.written = text.text;
  }
  if (options.loss != RetrieverLoss::generated) return;
  batch->inputs.erase(batch->inputs.begin(), batch->inputs.begin() + batch->questions);
  batch->questions = 0;
}

// Encodes a piece of a batch in which the texts of `pages` pages are written.
Encoded encode_piece(const nets::TrainedEncoder& encoder, Inputs inputs, std::int64_t pages) {
  if (pages == 0) return encoder.encode(inputs);
  const nets::EncodedInputs encoded = encoder.encode_and_write(inputs);
  if (!encoded.surprise.defined()) return encoded.vectors;
  return {encoded.vectors, encoded.surprise.sum() / static_cast<double>(pages)};
}

// Adds the gradients of one step.
double loss_of_batch(const nets::TrainedEncoder& encoder, const Batch& batch,
                     const RetrieverJob& job, std::uint64_t seed) {
  const Inputs inputs(batch.inputs);
  const auto written = std::ranges::count_if(
      inputs, [](const nets::EncoderInput& input) { return input.written != nullptr; });
  const auto encode = [&](const Chunk& chunk) {
    at::manual_seed(seed + static_cast<std::uint64_t>(chunk.begin));  // of dropout
    return encode_piece(encoder, part_of(inputs, chunk), written);
  };
  const at::Generator random = at::detail::createCPUGenerator(seed);
  const auto loss = [&](const at::Tensor& vectors) {
    const std::int64_t passages = vectors.size(0) - batch.questions;
    const BatchVectors split = {vectors.narrow(0, 0, batch.questions),
                                vectors.narrow(0, batch.questions, passages),
                                at::tensor(batch.of, at::kLong).to(vectors.device())};
    return retriever_loss(split, job.retriever, [&](const at::Tensor& masks) {
      return mask_parts(masks, job.retriever, random);
    });
  };
  return add_gradients(chunks_of_inputs(encoder, inputs, job.training.tokens_at_once), encode,
                       loss);
}

at::Tensor vectors_of(const nets::TrainedEncoder& encoder, Inputs inputs, std::int64_t most) {
  const at::NoGradGuard no_gradients;
  std::vector<at::Tensor> parts;
  for (const Chunk& chunk : chunks_of_inputs(encoder, inputs, most)) {
    throw_if_interrupted();
    parts.push_back(encoder.encode(part_of(inputs, chunk)));
  }
  return at::cat(parts);
}

// Writes a line for each question, with the rank of its passage among all.
void write_places(const std::string& path, const std::vector<Example>& examples,
                  const at::Tensor& places) {
  std::string lines;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const auto place = static_cast<long>(places[static_cast<std::int64_t>(i)].item<double>());
    lines += dump_json({{"query", examples[i].query}, {"rank", place}}) + "\n";
  }
  write_file_atomic(path, lines);
}

// Logs how well questions find their passages among those of all. The first positive of each
// example counts.
void log_held_back(const nets::TrainedEncoder& encoder, const RetrieverJob& job) {
  const std::vector<Example> examples = read_examples(job.training.held_back);
  std::vector<nets::EncoderInput> questions, passages;
  for (const Example& example : examples) {
    questions.push_back(question_input(example));
    if (teaches_pages(job.retriever.loss)) questions.back().most_tokens = job.retriever.text_tokens;
    passages.push_back(passage_input(example.positives.front()));
  }
  const std::int64_t most = job.training.tokens_at_once;
  const at::Tensor scores =
      at::matmul(vectors_of(encoder, questions, most), vectors_of(encoder, passages, most).t());
  const at::Tensor places = (scores > scores.diag().unsqueeze(1)).sum(1).to(at::kDouble) + 1;
  write_places(job.out + "/held_back.jsonl", examples, places);
  log::note(
      "held back: {:.1f}% of {} questions rank their passage first; mean reciprocal rank {:.3f}",
      100 * (places == 1).to(at::kDouble).mean().item<double>(), examples.size(),
      places.reciprocal().mean().item<double>());
}

// These losses compare the picture of a page with the text on it, so a positive that is a text
// cannot be used.
void require_pages(const std::vector<Example>& examples, const std::string& path) {
  for (std::size_t i = 0; i < examples.size(); ++i) {
    if (examples[i].positives.front().is_image) continue;
    throw Error(
        ErrorCode::input,
        format("{}: the positive of example {} is a text; rcr and rcg need the picture of a "
               "page, {{\"image\": FILE}}, and the text on it as the query",
               path, i + 1));
  }
}

}  // namespace

TrainingResult train_retriever(const RetrieverJob& job) {
  const std::vector<Example> examples = read_examples(job.training.examples);
  if (teaches_pages(job.retriever.loss)) require_pages(examples, job.training.examples);
  if (!job.training.held_back.empty()) read_examples(job.training.held_back);
  const Batches batches(examples, job.training, job.retriever.hard_negatives);
  const models::ModelSpec spec = models::read_encoder(job.model, job.hub_cache);

  nets::Trained trained = trained_by(job.training);
  const auto encoder = nets::open_trained_encoder(spec, job.device, &trained, job.picture);
  if (teaches_pages(job.retriever.loss)) encoder->require_writing();

  const std::string name = training_name(
      models::Checkpoint(spec).hash(), job.training, job.device.dtype,
      told(retriever_options(), job.retriever) + told(score::mask_options(), job.retriever.mask));
  TrainingResult result =
      run_training(job.out, name, job.training, &trained, batches.steps(), [&](long step) {
        Batch batch = batches.of_step(step);
        if (teaches_pages(job.retriever.loss)) teach_pages(job.retriever, &batch);
        return loss_of_batch(*encoder, batch, job, seed_of_step(job.training.seed, step));
      });
  result.model = job.out + "/model";
  write_trained_model(result.model, spec, trained);
  // A search masks pages only for encoders that were trained with the mask.
  write_file_atomic(
      result.model + "/" + models::kTrainingRecord,
      Json{{"loss", name_of(job.retriever.loss)}, {"mask", trains_mask(job.retriever.loss)}}.dump(
          2) +
          "\n");
  trained.learning = false;
  if (!job.training.held_back.empty()) log_held_back(*encoder, job);
  return result;
}

}  // namespace fineprint::train
