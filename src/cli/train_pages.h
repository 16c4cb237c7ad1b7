// `fineprint train pages`: pages and their texts, for training without questions.
#pragma once

#include "fineprint/settings/settings.h"

namespace fineprint::cli {

// Writes a line to the file --out for each page of the store (or of --doc) that has words:
// {"query": its text, "positive": {"image": "FILE#PAGE"}}. Returns an exit code.
int make_pages(const settings::Settings& settings);

}  // namespace fineprint::cli
