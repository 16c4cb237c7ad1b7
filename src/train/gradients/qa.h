// Trains a QA model.
#pragma once

#include "fineprint/train/training.h"

namespace fineprint::train {

// Throws as TrainTable describes.
TrainingResult train_qa(const QaJob& job);

}  // namespace fineprint::train
