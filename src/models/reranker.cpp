// Defaults of the interface of rerankers.
#include "fineprint/models/reranker.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::models {

std::vector<double> Reranker::score_pages(const std::string& /*question*/,
                                          std::span<const SharedImage> /*pages*/) const {
  throw Error(ErrorCode::usage, format("{} takes no images: give it texts", name()));
}

}  // namespace fineprint::models
