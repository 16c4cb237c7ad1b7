// The data that the page's script reads: the complete report as one JSON object.
#pragma once

#include "fineprint/core/json.h"

#include "report/entries.h"
#include "report/page_pictures.h"
#include "report/summary.h"

namespace fineprint::report {

// Registers the pages that the entries show. They must be drawn before page_data().
void want_pages(const std::vector<Entry>& entries, PagePictures* pictures);

// Returns {"title", "pipelines", "generators", "folder", "pictures", "summary", "facets", "docs",
// "pages", "questions"}. Questions refer to documents and pages by their index, and numbers have
// five digits. `folder` is the path of the folder of pictures, relative to the page.
Json page_data(const Material& material, const std::vector<Entry>& entries, PagePictures* pictures,
               const std::string& folder);

// Returns {"questions", "answered", ..., "slices", "reliability", "seconds", ...}.
Json summary_data(const Summary& summary);

}  // namespace fineprint::report
