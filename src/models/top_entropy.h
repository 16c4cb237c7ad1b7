// The entropy of a few likeliest tokens among themselves.
#pragma once

#include <span>

namespace fineprint::models {

// In nats, of probabilities proportional to e^log: logits or log-probabilities, the largest first.
// At least one.
double top_entropy(std::span<const double> logs);

}  // namespace fineprint::models
