// Describes training jobs, and the library that runs them.
//
// Only the command that trains opens the library (libfineprint_train.so), because only it needs
// LibTorch's gradients.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/image.h"
#include "fineprint/core/option.h"
#include "fineprint/models/device.h"
#include "fineprint/models/generator.h"
#include "fineprint/score/hybrid_mask.h"
#include "fineprint/train/answer_examples.h"

namespace fineprint::train {

// How the rate falls after the warm-up. It reaches 0 after the last step.
enum class Decay { linear, cosine };

// The options of all kinds of training.
struct TrainingOptions {
  std::string examples;   // JSON Lines
  std::string held_back;  // examples of the same form, never trained on; empty: none
  long epochs = 1;        // passes over the examples
  long most_steps = 0;    // 0: all steps of the epochs
  int batch = 64;         // questions in each step
  // Gradients are computed for this many tokens at a time. A step needs memory only for these.
  int tokens_at_once = 4096;
  double rate = 1e-4;    // the highest learning rate, after the warm-up
  double warm_up = 0.1;  // share of the steps in which the rate rises; then it falls
  Decay decay = Decay::linear;
  double weight_decay = 0;  // as AdamW defines it
  double longest_step = 1;  // longer gradients are cut to this length; 0: never
  long save_every = 100;    // steps between two checkpoints
  long seed = 0;            // of the order of examples, dropout and masks; --seed
  int lora_rank = 0;        // of LoRA; 0: all weights are trained
  double lora_alpha = 64;
  double lora_dropout = 0.1;
  // The last names of the modules that LoRA changes.
  std::vector<std::string> lora_targets = {"qkv_proj",  "q_proj",  "k_proj",
                                           "v_proj",    "o_proj",  "gate_up_proj",
                                           "gate_proj", "up_proj", "down_proj"};
};
// Returns the options that the command line and preset files can set.
const OptionTable<TrainingOptions>& training_options();

// Losses of encoders of questions and pages. Source of the losses with masks: HKRAG, section 3.2,
// Eq. 3 to 5. Source of the last three, which use the texts on the pages as questions: Tanaka et
// al., "VDocRAG" (2025), section 4.1.
enum class RetrieverLoss {
  contrastive,  // Eq. 3: InfoNCE with the other pages of the batch
  masked,       // Eq. 4: in both directions, over masked pages
  parted,       // Eq. 5: over disjoint parts of the masks
  both,         // Eq. 4 plus beta times Eq. 5
  retrieved,    // RCR: Eq. 3 with the page's text as the question
  generated,    // RCG: the model writes the page's text from the token of its vector
  compressed,   // RCR + RCG
};
bool teaches_pages(RetrieverLoss loss);  // returns whether it is one of the last three
bool trains_mask(RetrieverLoss loss);    // returns whether it masks pages: Eq. 4, Eq. 5 or both
std::string_view name_of(RetrieverLoss loss);  // returns its name in `--loss`
// The masks of the pages of a batch that do not belong to the question.
enum class OthersMask {
  own,       // each page has the mask of its own question
  pairwise,  // each pair of question and page has its own mask
  anchor,    // all pages have the mask of the question with its own page
};
// The values that are divided into the parts of a mask.
enum class MaskParts {
  support,     // the dimensions that the mask keeps, at random
  dimensions,  // all dimensions, at random
  blocks,      // all dimensions, in ranges that begin at a random position
};

// The options of training a retriever.
struct RetrieverOptions {
  RetrieverLoss loss = RetrieverLoss::both;
  double temperature = 0.01;
  double beta = 1;          // weight of Eq. 5 in `both`
  score::MaskOptions mask;  // alpha, epsilon, both spreads, absolute, swapped
  int parts = 2;            // number of parts of a mask, in Eq. 5
  OthersMask others = OthersMask::own;
  MaskParts parted = MaskParts::support;
  bool parts_of_batch = false;  // divide all masks of a batch in the same way
  // Let gradients pass through the masks, as if each step were a sigmoid.
  bool mask_gradient = false;
  int hard_negatives = 0;  // drawn from an example's negatives in each step
  int text_tokens = 512;   // of a page's text, in the last three losses
};
// Returns the options that the command line and preset files can set.
const OptionTable<RetrieverOptions>& retriever_options();

// What to train a retriever from, and where to write it.
struct RetrieverJob {
  std::string model;  // SPEC of an encoder
  std::string hub_cache;
  std::string out;  // folder for the results
  TrainingOptions training;
  RetrieverOptions retriever;
  models::DeviceOptions device;
  // Opens the picture that an example names, {"image": NAME}.
  std::function<Image(const std::string& name)> picture;
};

// What to train a QA model from, and where to write it.
struct QaJob {
  std::string model;  // SPEC of a BERT, or the folder of a QA model to train further
  std::string hub_cache;
  std::string out;  // folder for the results
  TrainingOptions training;
  models::DeviceOptions device;
};

// What to train a judge from, and where to write it. A judge is asked how much of the answer to a
// question a page has, and replies with a mark.
struct JudgeJob {
  std::string model;  // SPEC of a model that reads images and writes
  std::string hub_cache;
  std::string out;           // folder for the results
  TrainingOptions training;  // the examples are Verdicts
  models::DeviceOptions device;
  std::vector<std::string> marks;  // the replies for labels 1 to 5
  std::string instructions;        // its prompt without the question, and its image tier
  // Returns the request for a question and a picture's name.
  std::function<models::Request(const std::string& question, const std::string& image)> ask;
};

// What to train an answering model from, and where to write it.
struct AnswerJob {
  std::string model;  // SPEC of a model that writes; it must read images if an example has pages
  std::string hub_cache;
  std::string out;           // folder for the results
  TrainingOptions training;  // the examples are AnswerExamples
  models::DeviceOptions device;
  std::string instructions;  // its prompts without the question, and their image tiers
  // Returns the request for the question and the pages or passages of an example.
  std::function<models::Request(const AnswerExample& example)> ask;
};

// The result of a training.
struct TrainingResult {
  long steps = 0;
  double first_loss = 0, last_loss = 0;  // means over the first and the last tenth of the steps
  std::string model;                     // the folder of the trained model
};

// The file name of the library.
inline constexpr const char* kTrainLibrary = "libfineprint_train.so";

// The functions of the library. If a training of the same settings was stopped in the folder
// before, it is continued. All throw Error(usage) if options do not fit, Error(input) if examples
// are wrong, Error(model) if the model cannot be trained or its gradients are no longer finite, and
// Error(unreadable) if files cannot be written.
struct TrainTable {
  TrainingResult (*retriever)(const RetrieverJob& job);
  TrainingResult (*qa)(const QaJob& job);
  TrainingResult (*judge)(const JudgeJob& job);
  TrainingResult (*answers)(const AnswerJob& job);
};

// Identifies this interface by the sizes of its types, so that a library from another version is
// not used.
inline constexpr std::uint64_t kTrainInterface =
    std::uint64_t{1} << 48 |
    (sizeof(RetrieverJob) ^ sizeof(QaJob) << 4 ^ sizeof(JudgeJob) << 8 ^ sizeof(AnswerJob) << 12)
        << 16 |
    sizeof(TrainTable);

// The only exported function of the library, a session::LibraryEntry. It returns a TrainTable, or
// nullptr if the interface is not its own.
inline constexpr const char* kTrainEntry = "fineprint_train";

}  // namespace fineprint::train
