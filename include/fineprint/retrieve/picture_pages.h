// Finds the pages that show the pictures of a question, without any model.
#pragma once

#include <string>

#include "fineprint/retrieve/search.h"
#include "fineprint/session/context.h"

namespace fineprint::retrieve {

// The most pages that are reported for a picture.
inline constexpr std::size_t kMostShownOn = 5;

// Looks for each of context.pictures on pages of the pool: pages are drawn and compared by their
// landmarks (image::find_part). First come those that the words of question and picture, and page
// vectors, rank first, then the others in their order; at most `options.picture_pages` pages. Stops
// as soon as a page surely shows the picture, or the question's time is up. Writes the pages to
// PictureRecord::found, how many were compared, and a note if some could not be. Later searches
// with this context put these pages first. Does nothing for gold pages.
void find_picture_pages(session::Context& context, const std::string& question,
                        const SearchOptions& options);

}  // namespace fineprint::retrieve
