// Adds what a model says about a page to its digest and to the outline.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/document.h"

#include "docmap/outline.h"
#include "docmap/page_digest.h"

namespace fineprint::docmap {

// Returns the outline for a prompt: one line per section, with its pages. Of a long outline, only
// the sections of the top level and the last hundred.
std::string outline_text(const std::vector<Section>& sections);

// Puts the page into the sections that `wanted` names, as far as they are open; if none is, into
// those of `before`, the previous page; otherwise into the section that was opened last.
void assign_page(int page, const std::vector<std::string>& wanted,
                 const std::vector<std::string>& before, Outline* outline);

// Takes a reply, JSON of the agent's schema. Opens its new sections, unless `names_none`, assigns
// the page, and puts its summary and its descriptions of elements into the digest.
void take_reply(std::string_view reply, const Page& page, const std::vector<std::string>& before,
                bool names_none, PageDigest* digest, Outline* outline);

}  // namespace fineprint::docmap
