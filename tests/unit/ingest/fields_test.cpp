// What each field of the keyword search holds.
#include "ingest/fields.h"

#include <map>

#include <gtest/gtest.h>

namespace fineprint::ingest {
namespace {

using Frequencies = std::map<std::uint32_t, std::uint32_t>;

Page page_of(int number, const std::string& heading, const std::string& body) {
  Page page;
  page.number = number;
  page.words = {{heading, {0, 0, 1, 1}}, {body, {0, 2, 1, 3}}, {body, {2, 2, 3, 3}}};
  page.lines = {{0, 1, {}}, {1, 2, {}}};
  page.elements.resize(2);
  page.elements[0].kind = ElementKind::heading;
  page.elements[0].line_count = 1;
  page.elements[1].first_line = 1;
  page.elements[1].line_count = 1;
  return page;
}

store::NewDocument document() {
  store::NewDocument out;
  out.row.doc = "folder/lighthouse.pdf";
  out.row.title = "Keepers";
  out.info.outline = {{1, "Storms", 2}};
  out.pages = {page_of(1, "Lamps", "oil"), page_of(2, "Wicks", "oil")};
  out.chunks = {{1, 1, 2, {}, "Keepers", "oil oil"}};
  return out;
}

const store::FieldIndex& field(const std::vector<store::FieldIndex>& fields,
                               const std::string& name) {
  for (const auto& one : fields) {
    if (one.field == name) return one;
  }
  throw std::out_of_range(name);
}

Frequencies found(const store::FieldIndex& index, const std::string& term) {
  for (std::size_t i = 0; i < index.terms.size(); ++i) {
    if (index.terms[i] != term) continue;
    Frequencies out;
    for (const auto& [unit, frequency] : index.postings[i]) out[unit] = frequency;
    return out;
  }
  return {};
}

TEST(Fields, CountTermsByUnit) {
  const auto fields = field_indexes(document());
  EXPECT_EQ(found(field(fields, "chunk"), "keeper"), (Frequencies{{0, 1}}));
  EXPECT_EQ(found(field(fields, "chunk"), "oil"), (Frequencies{{0, 2}}));
  EXPECT_EQ(found(field(fields, "chunk"), "wick"), (Frequencies{}));
}

TEST(Fields, KeepTheLengthOfEveryUnit) {
  const auto fields = field_indexes(document());
  EXPECT_EQ(field(fields, "chunk").lengths, (std::vector<std::uint32_t>{3}));
}

TEST(Fields, AreNamedInTheSettings) { EXPECT_EQ(field_names(), "chunk"); }

}  // namespace
}  // namespace fineprint::ingest
