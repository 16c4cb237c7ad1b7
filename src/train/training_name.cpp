// Identifies a training, so that a stopped one can be continued.
#include "train/training_name.h"

#include "fineprint/core/hash.h"

namespace fineprint::train {

// The contents of the examples count, not their file's name, so that a moved file can be continued
// with.
std::string training_name(const std::string& model_hash, const TrainingOptions& training,
                          const std::string& dtype, const std::string& more) {
  return content_hash(model_hash + file_hash(training.examples) + std::to_string(training.seed) +
                      told(training_options(), training) + "dtype=" + dtype + "\n" + more);
}

}  // namespace fineprint::train
