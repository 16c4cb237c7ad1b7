// Determines what a document is called.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/document.h"

namespace fineprint::ingest {

// Returns the metadata's title if it looks as if a person wrote it. If not, returns the largest
// heading of the first page or, if there is none, a readable form of the file name.
std::string document_title(const DocumentInfo& info, const std::vector<Page>& pages,
                           std::string_view doc);

// Returns whether a title from the metadata is more than a file name or a program's default
// ("Microsoft Word - x.doc", "untitled", "00123.indd").
bool looks_like_title(std::string_view title);

// Returns the last part of a path without its extension, split into words. For example,
// "JohnsonJohnson_2022-10K.pdf" gives "Johnson Johnson 2022 10K".
std::string readable_name(std::string_view doc);

}  // namespace fineprint::ingest
