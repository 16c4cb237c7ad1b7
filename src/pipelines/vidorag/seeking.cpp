// Asks the Seeker which pages are worth reading.
#include "pipelines/vidorag/seeking.h"

#include <algorithm>
#include <span>
#include <utility>

#include "pipelines/vidorag/agents.h"
#include "pipelines/vidorag/options.h"

namespace fineprint::pipelines::vidorag {

std::vector<PageId> sought_pages(session::Context& context, const std::string& question,
                                 const std::string& prompts, std::vector<PageId> found) {
  if (found.size() <= 1) return found;
  Options options;
  // Other pipelines read the pages, so the budget is kept for a page of their usual tier.
  options.reader.tier = session::Tier::page;
  options.seeker.layout = seeker_layout(context, options.seeker);
  const Agents asked(context, question, options, prompts);
  const std::span<const PageId> pages(found);
  Sought sought =
      asked.seek(pages.first(std::min(pages.size(), agents::kMostInMosaic)), {}, true, 1);
  if (sought.refused) return found;
  return std::move(sought.selected);
}

}  // namespace fineprint::pipelines::vidorag
