// From settings to what searches and pipelines take.
#include "fineprint/answering/method_options.h"

#include <utility>

#include "fineprint/agents/reading.h"

namespace fineprint::answering {

retrieve::SearchOptions search_options(const settings::Settings& settings) {
  retrieve::SearchOptions options = settings.read(retrieve::search_options());
  options.adaptive_options.top_k = options.k;
  return options;
}

pipelines::PipelineOptions pipeline_options(const settings::Settings& settings,
                                            const std::string& method) {
  retrieve::SearchOptions search = search_options(settings);
  search.substitute = !settings.flag("strict");
  return {.search = std::move(search),
          .reader = settings.read(agents::reader_options()),
          .own = settings.texts_of(method)};
}

}  // namespace fineprint::answering
