// Writes a table of documents and questions as one HTML page for people: sorted and filtered by a
// click, with totals, and for each cell its quote, marked on the picture of its page.
#pragma once

#include <string>

#include "fineprint/report/report.h"
#include "fineprint/session/corpus.h"
#include "fineprint/session/page_images.h"
#include "fineprint/sheet/sheet.h"

namespace fineprint::report {

// Writes `out`, an HTML file. Pictures of pages are in the file, however many there are, unless the
// options say otherwise; `automatic` means `embed`. A page that cannot be drawn is shown as
// missing, with the reason. Throws Error(unreadable) if a file cannot be written, and
// Error(interrupted).
Written write_table_page(const sheet::Sheet& table, const std::string& title,
                         const session::Corpus& corpus, const session::PageImages& images,
                         const ReportOptions& options, const std::string& out);

}  // namespace fineprint::report
