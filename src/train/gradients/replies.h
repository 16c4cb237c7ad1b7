// The loss of replies, for all trainings of models that write.
#pragma once

#include <cstdint>
#include <span>

#include "fineprint/nets/trained_generator.h"

namespace fineprint::train {

// Adds the gradients of the mean of the replies' losses (TrainedGenerator::surprise), and returns
// that mean. Gradients are computed for about `most` tokens at a time, which changes the result
// only by rounding. `seed` is that of dropout.
double add_gradients_of_replies(const nets::TrainedGenerator& generator,
                                std::span<const nets::WantedReply> wanted, std::int64_t most,
                                std::uint64_t seed);

}  // namespace fineprint::train
