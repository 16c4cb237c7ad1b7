// Refuses encoders that a command names and no search of it would use.
#pragma once

#include <span>

#include "fineprint/session/loaded_models.h"
#include "fineprint/settings/settings.h"
#include "fineprint/store/store.h"

namespace fineprint::cli {

// Throws Error(usage) if the models of --retriever made vectors of `store`, and no scorer of any of
// `searches` compares them: the command would then measure another encoder than the one it names.
// One that is used is enough, because a benchmark names the encoders of all its pipelines. Reads
// which models these are; loads none.
void refuse_unused_retrievers(const session::Models& models, const store::Store& store,
                              std::span<const settings::Settings> searches);

}  // namespace fineprint::cli
