// What ViDoRAG leaves open, and where its paper and its code differ.
#pragma once

#include "fineprint/core/option.h"
#include "fineprint/session/page_images.h"

namespace fineprint::pipelines::vidorag {

// How an agent is shown several pages.
enum class Layout { mosaic, separate };

struct View {
  Layout layout = Layout::separate;
  session::Tier tier = session::Tier::page;  // of each page, before a mosaic shrinks it
};

struct Options {
  int rounds = 5;         // of Seeker and Inspector
  int buffer_pages = 10;  // that the Inspector sees at most
  bool memory = true;     // the Seeker sees its last summary again
  // In a mosaic, candidates are filled up to the size of a grid.
  bool padding = true;
  View seeker = {.layout = Layout::mosaic, .tier = session::Tier::thumb};
  View reader = {.layout = Layout::separate, .tier = session::Tier::fine};  // Inspector and Answer
};

const OptionTable<Options>& option_table();

}  // namespace fineprint::pipelines::vidorag
