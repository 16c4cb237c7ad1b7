// `fineprint models --suggest`: published models for this machine.
#pragma once

namespace fineprint::cli {

// Prints, for each use, the models that fit into the free memory, the better ones first. As JSON,
// prints every model with the memory that it needs and whether it fits.
void suggest_models(bool json);

}  // namespace fineprint::cli
