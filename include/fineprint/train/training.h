// Trainings: what they are told, and the library that runs them.
//
// The library (libfineprint_train.so, which sees LibTorch's gradients) is opened by the command
// that trains and by nothing else.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fineprint/core/image.h"
#include "fineprint/core/option.h"
#include "fineprint/models/device.h"
#include "fineprint/models/generator.h"
#include "fineprint/score/hybrid_mask.h"

namespace fineprint::train {

// How the rate falls, after the warm-up, to 0 behind the last step.
enum class Decay { linear, cosine };

// What all trainings have in common.
struct TrainingOptions {
  std::string examples;   // JSON Lines
  std::string held_back;  // the same, never trained on; empty: none
  long epochs = 1;        // passes over the examples
  long most_steps = 0;    // 0: as many as the epochs have
  int batch = 64;         // questions a step
  // Gradients are taken of so many tokens at a time; a step needs memory for these alone.
  int tokens_at_once = 4096;
  double rate = 1e-4;    // the highest, after the warm-up
  double warm_up = 0.1;  // share of the steps in which the rate rises; then it falls
  Decay decay = Decay::linear;
  double weight_decay = 0;  // AdamW's
  double longest_step = 1;  // gradients are cut to this length; 0: never
  long save_every = 100;    // steps
  long seed = 0;            // of the order of examples, dropout and masks; --seed
  int lora_rank = 0;        // 0: every weight is trained
  double lora_alpha = 64;
  double lora_dropout = 0.1;
  // Last names of the changed modules.
  std::vector<std::string> lora_targets = {"qkv_proj",  "q_proj",  "k_proj",
                                           "v_proj",    "o_proj",  "gate_up_proj",
                                           "gate_proj", "up_proj", "down_proj"};
};
const OptionTable<TrainingOptions>& training_options();

// Losses of encoders of questions and pages. Source of those with masks: HKRAG, section 3.2,
// Eq. 3 to 5; of the last three, whose questions are the texts that stand on the pages: Tanaka et
// al., "VDocRAG" (2025), section 4.1.
enum class RetrieverLoss {
  contrastive,  // Eq. 3: InfoNCE with the others of the batch
  masked,       // Eq. 4: both ways, over masked pages
  parted,       // Eq. 5: over disjoint parts of the masks
  both,         // Eq. 4 and beta times Eq. 5
  retrieved,    // RCR: Eq. 3 with the page's text as the question
  generated,    // RCG: the page's text is written from its vector's token alone
  compressed,   // RCR + RCG
};
bool teaches_pages(RetrieverLoss loss);  // the last three
// Which mask the pages of the batch have that are not the question's.
enum class OthersMask {
  own,       // each page is masked with its own question's, once
  pairwise,  // each pair has its own
  anchor,    // that of the question with its own page
};
// What is shared out to the parts of a mask.
enum class MaskParts {
  support,     // the dimensions that it keeps, at random
  dimensions,  // all dimensions, at random
  blocks,      // all dimensions, in ranges that begin at a random place
};

struct RetrieverOptions {
  RetrieverLoss loss = RetrieverLoss::both;
  double temperature = 0.01;
  double beta = 1;
  score::MaskOptions mask;  // alpha, epsilon, both spreads, absolute, swapped
  int parts = 2;            // of a mask, in Eq. 5
  OthersMask others = OthersMask::own;
  MaskParts parted = MaskParts::support;
  bool parts_of_batch = false;  // all pages of a batch are parted alike
  // Gradients go into the masks, too, as if each step were a sigmoid.
  bool mask_gradient = false;
  int hard_negatives = 0;  // of an example's, drawn anew each time
  int text_tokens = 512;   // of a page's text, in the last three losses
};
const OptionTable<RetrieverOptions>& retriever_options();

struct RetrieverJob {
  std::string model;  // SPEC of an encoder
  std::string hub_cache;
  std::string out;  // a folder
  TrainingOptions training;
  RetrieverOptions retriever;
  models::DeviceOptions device;
  // Opens what examples call {"image": NAME}.
  std::function<Image(const std::string& name)> picture;
};

struct ReaderJob {
  std::string model;  // SPEC of a BERT, or the folder of a reader that is trained further
  std::string hub_cache;
  std::string out;  // a folder
  TrainingOptions training;
  models::DeviceOptions device;
};

// A model that is asked how much of what answers a question stands on a page, and replies a mark.
struct JudgeJob {
  std::string model;  // SPEC of a model that sees and writes
  std::string hub_cache;
  std::string out;           // a folder
  TrainingOptions training;  // of Verdicts
  models::DeviceOptions device;
  std::vector<std::string> marks;  // what it may reply, of label 1 to 5
  std::string instructions;        // what it is told whatever the question, and how it sees pages
  // What it is asked of a question and a picture's name.
  std::function<models::Request(const std::string& question, const std::string& image)> ask;
};

// What a training came to.
struct TrainingResult {
  long steps = 0;
  double first_loss = 0, last_loss = 0;  // means over a tenth of the steps at each end
  std::string model;                     // the folder to use it by
};

inline constexpr const char* kTrainLibrary = "libfineprint_train.so";

// All throw Error: usage for options that do not fit, input for examples that are none, model for
// a model that cannot be trained or whose gradients are no numbers any more, unreadable where files
// cannot be written. A training that was begun in the folder before, and stopped, goes on.
struct TrainTable {
  TrainingResult (*retriever)(const RetrieverJob& job);
  TrainingResult (*reader)(const ReaderJob& job);
  TrainingResult (*judge)(const JudgeJob& job);
};

inline constexpr std::uint64_t kTrainInterface =
    std::uint64_t{1} << 48 |
    (sizeof(RetrieverJob) ^ sizeof(ReaderJob) << 4 ^ sizeof(JudgeJob) << 8) << 16 |
    sizeof(TrainTable);

// The library's one exported function, session::LibraryEntry, which gives a TrainTable; nullptr
// when the interface is not its own.
inline constexpr const char* kTrainEntry = "fineprint_train";

}  // namespace fineprint::train
