// Chooses how the hybrid mask scores pages.
#pragma once

#include "fineprint/retrieve/search.h"

namespace fineprint::retrieve {

// Returns the options with MaskMode::automatic replaced: by hybrid if the encoders of all masking
// scorers were trained with the mask, else by cosine. Reports the mode and its reason in the trace
// and the record if any scorer masks. The options must name the scorers that will run, after
// replacements.
SearchOptions with_mask_mode(session::Context& context, SearchOptions options);

}  // namespace fineprint::retrieve
