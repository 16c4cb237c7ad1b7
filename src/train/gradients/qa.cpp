// Trains a QA model.
#include "train/gradients/qa.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/autograd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/log.h"
#include "fineprint/core/threads.h"
#include "fineprint/models/checkpoint.h"
#include "fineprint/nets/trained_qa_model.h"

#include "train/gradients/gradient_cache.h"
#include "train/gradients/qa_folder.h"
#include "train/gradients/qa_loss.h"
#include "train/gradients/training_run.h"
#include "train/qa_examples.h"
#include "train/step_order.h"
#include "train/training_name.h"

namespace fineprint::train {
namespace {

// Returns the examples as sequences, which all threads lay out.
std::vector<PlacedExample> placed_examples(const nets::TrainedQaModel& model,
                                           const QaExamples& examples,
                                           const std::vector<std::size_t>& chosen) {
  std::vector<PlacedExample> result(chosen.size());
  // Laying out passages is work for the CPU that would otherwise delay every step.
  parallel_for(chosen.size(), usable_cores(), [&](std::size_t i) {
    const QaExample example = examples.at(chosen[i]);
    std::vector<models::QaTokens> sequences;
    for (const models::QaPassage& passage : example.passages) {
      sequences.push_back(model.lay_out(example.question, passage));
    }
    result[i] = place(example, std::move(sequences));
  });
  return result;
}

// Returns the loss of some of the examples. Records gradients unless they are turned off.
at::Tensor loss_of(const nets::TrainedQaModel& model, const std::vector<PlacedExample>& examples,
                   const Chunk& chunk) {
  std::vector<models::QaTokens> sequences;
  std::vector<const PlacedExample*> some;
  for (std::int64_t i = chunk.begin; i < chunk.end; ++i) {
    const PlacedExample& example = examples[static_cast<std::size_t>(i)];
    some.push_back(&example);
    sequences.insert(sequences.end(), example.sequences.begin(), example.sequences.end());
  }
  return qa_loss(model.read(sequences), some);
}

// An example is never divided, because its loss compares all its passages.
std::vector<Chunk> chunks_of_examples(const std::vector<PlacedExample>& examples,
                                      std::int64_t most) {
  std::vector<std::int64_t> lengths;
  for (const PlacedExample& example : examples) {
    std::int64_t length = 0;
    for (const models::QaTokens& sequence : example.sequences) {
      length += std::ssize(sequence.ids);
    }
    lengths.push_back(length);
  }
  return even_chunks_of(lengths, most);
}

// Sums gradients whose parts arrive in any order. They are added in the order of their numbers, so
// that rounding is always the same, and then freed.
class OrderedGradients {
 public:
  explicit OrderedGradients(std::vector<at::Tensor> leaves) : leaves_(std::move(leaves)) {}

  const std::vector<at::Tensor>& leaves() const { return leaves_; }

  void add(std::size_t number, double loss, std::vector<at::Tensor> gradients) {
    const std::lock_guard lock(mutex_);
    waiting_.emplace(number, Part{loss, std::move(gradients)});
    for (auto next = waiting_.find(next_); next != waiting_.end(); next = waiting_.find(next_)) {
      loss_ += next->second.loss;
      for (std::size_t i = 0; i < next->second.gradients.size(); ++i) {
        add_to(leaves_[i], next->second.gradients[i]);
      }
      waiting_.erase(next);
      ++next_;
    }
  }
  double loss() const { return loss_; }

 private:
  struct Part {
    double loss = 0;
    std::vector<at::Tensor> gradients;  // of each leaf; undefined: the leaf has none
  };

  static void add_to(at::Tensor& leaf, const at::Tensor& gradient) {
    if (!gradient.defined()) return;
    if (leaf.grad().defined()) {
      leaf.mutable_grad().add_(gradient);
    } else {
      leaf.mutable_grad() = gradient.clone();  // cloned, because it may be a view
    }
  }

  std::vector<at::Tensor> leaves_;
  std::mutex mutex_;
  std::map<std::size_t, Part> waiting_;
  std::size_t next_ = 0;
  double loss_ = 0;
};

std::vector<at::Tensor> leaves_of(const nets::Trained& trained) {
  std::vector<at::Tensor> leaves;
  for (const auto& [name, tensor] : trained.tensors) leaves.push_back(tensor);
  return leaves;
}

// Adds the gradients of one step. Each chunk is computed by its own thread, because threads then
// need not wait for each other within a layer.
double loss_of_examples(const nets::TrainedQaModel& model, const nets::Trained& trained,
                        const std::vector<PlacedExample>& examples, std::int64_t most_tokens) {
  const auto count = static_cast<double>(examples.size());
  const std::vector<Chunk> chunks = chunks_of_examples(examples, most_tokens);
  OrderedGradients sum(leaves_of(trained));
  parallel_for(chunks.size(), model.side_by_side(), [&](std::size_t i) {
    throw_if_interrupted();
    const at::Tensor loss = loss_of(model, examples, chunks[i]) / count;
    std::vector<at::Tensor> gradients;
    // autograd throws if no leaf has a part in the loss.
    if (loss.requires_grad()) {
      gradients = torch::autograd::grad({loss}, sum.leaves(), {}, std::nullopt,
                                        // grad() is used in place of backward(), because backward()
                                        // of several threads would add to the same leaves.
                                        /*create_graph=*/false, /*allow_unused=*/true);
    }
    sum.add(i, loss.item<double>(), std::move(gradients));
  });
  return sum.loss();
}

void log_loss_of_held_back(const nets::TrainedQaModel& model, const QaExamples& examples,
                           std::int64_t most_tokens) {
  // Bounds the memory for sequences; the sum does not depend on it.
  constexpr std::size_t kAtATime = 64;
  // Without gradients no activations are kept, which takes a fraction of the memory.
  const at::NoGradGuard no_gradients;
  double sum = 0;
  for (std::size_t first = 0; first < examples.size(); first += kAtATime) {
    std::vector<std::size_t> chosen;
    for (std::size_t i = first; i < std::min(first + kAtATime, examples.size()); ++i) {
      chosen.push_back(i);
    }
    const std::vector<PlacedExample> placed = placed_examples(model, examples, chosen);
    for (const Chunk& chunk : chunks_of_examples(placed, most_tokens)) {
      throw_if_interrupted();
      sum += loss_of(model, placed, chunk).item<double>();
    }
  }
  log::note("loss of {} examples held back: {:.4g}", examples.size(),
            sum / static_cast<double>(examples.size()));
}

}  // namespace

TrainingResult train_qa(const QaJob& job) {
  if (job.training.lora_rank > 0) {
    throw Error(ErrorCode::usage,
                "--lora-rank does not apply to 'train qa', which trains all weights; leave it out");
  }
  const QaExamples examples(job.training.examples);
  std::optional<QaExamples> held_back;
  if (!job.training.held_back.empty()) held_back.emplace(job.training.held_back);
  const StepOrder order(examples.size(), job.training);
  const models::ModelSpec spec =
      models::read_model(models::find_text_encoder(job.model, job.hub_cache), job.hub_cache);

  nets::Trained trained;
  trained.seed = static_cast<std::uint64_t>(job.training.seed);
  const auto model = nets::open_trained_qa_model(spec, job.device, &trained);

  const std::int64_t most_tokens = job.training.tokens_at_once;
  const std::string name =
      training_name(models::Checkpoint(spec).hash(), job.training, job.device.dtype);
  TrainingResult result =
      run_training(job.out, name, job.training, &trained, order.steps(), [&](long step) {
        return loss_of_examples(
            *model, trained, placed_examples(*model, examples, order.of_step(step)), most_tokens);
      });
  result.model = job.out + "/model";
  write_trained_qa_model(result.model, spec, trained);
  // Both forms are written: /model for further training, /reader for use.
  write_packed_qa_model(job.out + "/reader", spec, trained);
  if (held_back) log_loss_of_held_back(*model, *held_back, most_tokens);
  return result;
}

}  // namespace fineprint::train
