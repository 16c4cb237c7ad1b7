// Trains a model to answer questions from pages.
#pragma once

#include "fineprint/train/training.h"

namespace fineprint::train {

// Minimizes the cross-entropy of the answers. Source: Tanaka et al., "VDocRAG" (2025), whose
// generator HKRAG (section 4) trains with the same settings.
TrainingResult train_answers(const AnswerJob& job);

}  // namespace fineprint::train
