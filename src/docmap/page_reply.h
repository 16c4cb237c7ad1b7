// What a model said of a page, taken into its digest and the outline.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/document.h"

#include "docmap/outline.h"
#include "docmap/page_digest.h"

namespace fineprint::docmap {

// The outline for a prompt: a line a section, with its pages. Of long ones the sections of the top
// level and the last hundred.
std::string outline_text(const std::vector<Section>& sections);

// Puts the page into the sections that `wanted` names, as far as they are open; else into those of
// `before`, the page before; else into the one that was opened last.
void assign_page(int page, const std::vector<std::string>& wanted,
                 const std::vector<std::string>& before, Outline* outline);

// `reply` is JSON of the agent's schema. Opens its new sections, unless `names_none`, and assigns
// the page; the digest gets its summary, and its elements what is said of them.
void take_reply(std::string_view reply, const Page& page, const std::vector<std::string>& before,
                bool names_none, PageDigest* digest, Outline* outline);

}  // namespace fineprint::docmap
