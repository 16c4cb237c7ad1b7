// What a training is known by again, when it goes on.
#pragma once

#include <cstddef>
#include <string>

#include "fineprint/core/option.h"
#include "fineprint/train/training.h"

namespace fineprint::train {

// What is set, but not what says only how fast, or what is told at the end.
template <class Options>
std::string told(const OptionTable<Options>& table, const Options& options) {
  std::string all;
  for (std::size_t i = 0; i < table.options().size(); ++i) {
    if (table.options()[i].facts.same_answers) continue;
    for (const std::string& text : table.tells()[i](options)) {
      all += table.options()[i].name + "=" + text + "\n";
    }
  }
  return all;
}

// A hash of the model's, of the examples' contents, of the format of numbers, and of all settings;
// `more` are those of what is trained.
std::string training_name(const std::string& model_hash, const TrainingOptions& training,
                          const std::string& dtype, const std::string& more = {});

}  // namespace fineprint::train
