// Trains a reader.
#pragma once

#include "fineprint/train/training.h"

namespace fineprint::train {

// Throws as TrainTable says.
TrainingResult train_reader(const ReaderJob& job);

}  // namespace fineprint::train
