// Computes how large a generator is, without loading it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "fineprint/session/load.h"

namespace fineprint::session {

// Returns the number of parameters of a generator that runs on this machine, by its configuration;
// nullopt for one on a server, for a script, and if there is no such model.
std::optional<std::int64_t> generator_parameters(const std::string& spec,
                                                 const ModelOptions& options);

// Returns whether a generator is too small for pipelines of many steps: it has fewer than
// kFewestForSteps parameters, or answers from a script, which has no size. Models on servers count
// as large, because servers do not say.
inline constexpr std::int64_t kFewestForSteps = 3'000'000'000;
bool is_small_generator(const std::string& spec, const ModelOptions& options);

}  // namespace fineprint::session
