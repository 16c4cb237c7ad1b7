// The choices that ViDoRAG leaves open, and those where its paper and its code differ.
#pragma once

#include "fineprint/core/option.h"
#include "fineprint/session/page_images.h"

namespace fineprint::pipelines::vidorag {

// How an agent is shown several pages.
enum class Layout { mosaic, separate };

// How an agent sees its pages.
struct View {
  Layout layout = Layout::separate;
  session::Tier tier = session::Tier::page;  // of each page, before a mosaic shrinks it
};

// Options of ViDoRAG; options.cpp gives the source of each.
struct Options {
  int rounds = 5;         // the most rounds of Seeker and Inspector
  int buffer_pages = 10;  // the most pages that the Inspector sees
  bool memory = true;     // the Seeker sees its last summary again
  // In a mosaic, candidates are filled up to the size of a grid.
  bool padding = true;
  View seeker = {.layout = Layout::mosaic, .tier = session::Tier::thumb};
  View reader = {.layout = Layout::separate, .tier = session::Tier::fine};  // Inspector and Answer
};

const OptionTable<Options>& option_table();

}  // namespace fineprint::pipelines::vidorag
