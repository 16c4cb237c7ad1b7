// `fineprint models --suggest`: published models for this machine.
#pragma once

namespace fineprint::cli {

// Prints, for each use, those that fit in the memory that is free, the better ones first; as JSON
// every model with what it needs and whether it fits.
void suggest_models(bool json);

}  // namespace fineprint::cli
