// Indexes the searchable fields of a document. Each field has a name and the text of each of its
// units, in one row of a table.
#include "ingest/fields.h"

#include <algorithm>
#include <unordered_map>

#include "fineprint/core/text.h"
#include "fineprint/text/broken_words.h"
#include "fineprint/text/terms.h"

namespace fineprint::ingest {

namespace {

using store::NewDocument;

struct Unit {
  std::string text;
  std::string language;
};
using Units = std::vector<Unit>;

// Returns each chunk with the title and headings above it.
Units chunk_units(const NewDocument& document) {
  std::unordered_map<int, const Page*> pages;  // by number
  for (const Page& page : document.pages) pages[page.number] = &page;
  Units out;
  for (const Chunk& chunk : document.chunks) {
    const auto found = pages.find(chunk.page);
    if (found == pages.end()) {
      out.push_back({chunk.context + "\n" + chunk.text, ""});
      continue;
    }
    const Page& page = *found->second;
    const std::string others = text::other_spellings(page, chunk);
    out.push_back(
        {chunk.context + "\n" + chunk.text + (others.empty() ? "" : "\n") + others, page.language});
  }
  return out;
}

struct Field {
  const char* name;
  Units (*units)(const NewDocument&);
};

constexpr Field kFields[] = {
    {"chunk", chunk_units},
};

store::FieldIndex index_units(const std::string& name, const Units& units) {
  store::FieldIndex out{.field = name, .terms = {}, .postings = {}, .lengths = {}};
  std::unordered_map<std::string, std::size_t> place;  // of a term in `out.terms`
  for (std::uint32_t unit = 0; unit < units.size(); ++unit) {
    const auto terms = text::terms(units[unit].text, units[unit].language);
    out.lengths.push_back(static_cast<std::uint32_t>(terms.size()));
    for (const std::string& term : terms) {
      const auto [found, is_new] = place.try_emplace(term, out.terms.size());
      if (is_new) {
        out.terms.push_back(term);
        out.postings.emplace_back();
      }
      auto& postings = out.postings[found->second];
      // Units come in order, so only the last posting can be of this unit.
      if (postings.empty() || postings.back().unit != unit) postings.push_back({unit, 0});
      ++postings.back().frequency;
    }
  }
  return out;
}

}  // namespace

std::vector<store::FieldIndex> field_indexes(const NewDocument& document) {
  std::vector<store::FieldIndex> out;
  for (const Field& field : kFields) out.push_back(index_units(field.name, field.units(document)));
  return out;
}

std::string field_names() { return join_texts(kFields, " ", &Field::name); }

}  // namespace fineprint::ingest
