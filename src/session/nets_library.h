// Opens the networks' library the first time that a command needs a network.
#pragma once

#include "fineprint/models/nets_library.h"

namespace fineprint::session {

// The library's loading function. The library stays open until the process ends. Throws
// Error(model) when this build has none or it cannot be opened, saying what to do.
models::LoadSentenceEncoder* open_nets_library();

}  // namespace fineprint::session
