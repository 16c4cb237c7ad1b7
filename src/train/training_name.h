// Identifies a training, so that a stopped one can be continued.
#pragma once

#include <cstddef>
#include <string>

#include "fineprint/core/option.h"
#include "fineprint/train/training.h"

namespace fineprint::train {

// Returns the values of all options, except for options that change only the speed or the log at
// the end.
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

// Returns a hash of the model, the examples' contents, the number format, and all settings. `more`
// are the settings of this kind of training.
std::string training_name(const std::string& model_hash, const TrainingOptions& training,
                          const std::string& dtype, const std::string& more = {});

}  // namespace fineprint::train
