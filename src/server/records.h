// Writes hits, pages and documents as JSON.
#pragma once

#include <vector>

#include "fineprint/core/json.h"
#include "fineprint/server/service.h"

namespace fineprint::server {

Json hits_json(const std::vector<Hit>& hits);
// Returns the answer's record, as `ask --json` prints it; with `kept` if it is a kept answer.
Json answer_json(const ServedAnswer& answer);
// Leaves out the path of the file, which clients must not learn.
Json document_json(const store::DocumentRow& row);
Json page_json(const PageText& page, const std::vector<report::Mark>& marks);
Json marks_json(const std::vector<report::Mark>& marks);
// Returns an event of a question as its stream sends it: {"step","ms", ...fields, "line"?}.
Json event_json(const Event& event);

}  // namespace fineprint::server
