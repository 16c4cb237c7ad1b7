// What the page's script reads: all of a report as one JSON object.
#pragma once

#include "fineprint/core/json.h"

#include "report/entries.h"
#include "report/page_pictures.h"
#include "report/summary.h"

namespace fineprint::report {

// Notes the pages that the entries show; they are to be drawn before page_data.
void want_pages(const std::vector<Entry>& entries, PagePictures* pictures);

// {"title", "pipelines", "generators", "folder", "pictures", "summary", "facets", "docs", "pages",
//  "questions"}: docs and pages are named by their place, and numbers have five digits. `folder` is
// where the files of pictures are, as seen from the page.
Json page_data(const Material& material, const std::vector<Entry>& entries, PagePictures* pictures,
               const std::string& folder);

// {"questions", "answered", ..., "slices", "reliability", "seconds", ...}
Json summary_data(const Summary& summary);

}  // namespace fineprint::report
