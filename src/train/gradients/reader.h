// Trains a QA model.
#pragma once

#include "fineprint/train/training.h"

namespace fineprint::train {

// Throws as TrainTable describes.
TrainingResult train_reader(const ReaderJob& job);

}  // namespace fineprint::train
