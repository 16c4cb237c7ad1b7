// What a document is called.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/document.h"

namespace fineprint::ingest {

// The metadata's title when it looks like one a person wrote; else the largest heading of the
// first page; else the file's name made readable.
std::string document_title(const DocumentInfo& info, const std::vector<Page>& pages,
                           std::string_view doc);

// Whether a metadata title is more than a file name or a program's filler ("Microsoft Word -
// x.doc", "untitled", "00123.indd").
bool looks_like_title(std::string_view title);

// The last part of a path without extension, words apart: "JohnsonJohnson_2022-10K.pdf" gives
// "Johnson Johnson 2022 10K".
std::string readable_name(std::string_view doc);

}  // namespace fineprint::ingest
