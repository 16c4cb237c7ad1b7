// Images of postings segments: their reading, their damage, their merging.
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "store/postings/image.h"
#include "store/postings/merge.h"
#include "store/postings/postings.h"
#include "support/temp_dir.h"

namespace fineprint::store {
namespace {

// What an image says, spelled out: term -> (document, unit within it) -> frequency.
using Meaning = std::map<std::string, std::map<std::pair<std::int64_t, std::uint32_t>, int>>;

Meaning meaning_of(const PostingsImage& image) {
  std::vector<std::pair<std::int64_t, std::uint32_t>> unit_names;
  for (const auto& [id, first, units] : image.documents()) {
    for (std::uint32_t unit = 0; unit < units; ++unit) unit_names.emplace_back(id, unit);
  }
  Meaning out;
  std::vector<score::Posting> postings;
  for (std::size_t i = 0; i < image.term_count(); ++i) {
    postings.clear();
    image.append(i, &postings);
    for (const auto& [unit, frequency] : postings) {
      out[std::string(image.term(i))][unit_names.at(unit)] = static_cast<int>(frequency);
    }
  }
  return out;
}

// Lengths of the units by document.
std::map<std::int64_t, std::vector<std::uint32_t>> lengths_of(const PostingsImage& image) {
  std::map<std::int64_t, std::vector<std::uint32_t>> out;
  for (const auto& [id, first, units] : image.documents()) {
    const auto lengths = image.lengths().subspan(first, units);
    out[id].assign(lengths.begin(), lengths.end());
  }
  return out;
}

// Terms in no order, as they are found in a text.
FieldIndex drawn_field(std::uint32_t units, int vocabulary, unsigned seed) {
  std::mt19937 random(seed);
  std::map<std::string, std::map<std::uint32_t, std::uint32_t>> counts;
  FieldIndex out{"chunk", {}, {}, {}};
  for (std::uint32_t unit = 0; unit < units; ++unit) {
    out.lengths.push_back(static_cast<std::uint32_t>(random() % 40));
    for (std::uint32_t i = 0; i < out.lengths.back(); ++i) {
      ++counts["t" + std::to_string(random() % static_cast<unsigned>(vocabulary))][unit];
    }
  }
  for (auto at = counts.rbegin(); at != counts.rend(); ++at) {
    out.terms.push_back(at->first);
    out.postings.emplace_back();
    for (const auto& [unit, count] : at->second) out.postings.back().push_back({unit, count});
  }
  return out;
}

Meaning meaning_of(std::int64_t document, const FieldIndex& field) {
  Meaning out;
  for (std::size_t i = 0; i < field.terms.size(); ++i) {
    for (const auto& [unit, frequency] : field.postings[i]) {
      out[field.terms[i]][{document, unit}] = static_cast<int>(frequency);
    }
  }
  return out;
}

void add(const Meaning& from, Meaning* to) {
  for (const auto& [term, units] : from) (*to)[term].insert(units.begin(), units.end());
}

TEST(PostingsImage, SaysWhatWasWritten) {
  const FieldIndex field = drawn_field(300, 50, 1);
  const PostingsImage image(image_of(12, field));
  image.check();
  EXPECT_EQ(meaning_of(image), meaning_of(12, field));
  EXPECT_EQ(lengths_of(image).at(12), field.lengths);
  for (const std::string& term : field.terms) EXPECT_EQ(image.term(image.find(term)), term);
  for (const char* term : {"", "a", "t", "t0x", "t10 ", "zz"}) {
    EXPECT_EQ(image.find(term), image.term_count()) << term;
  }
}

TEST(PostingsImage, HoldsADocumentWithoutTermsOrUnits) {
  const PostingsImage blank(image_of(3, {"chunk", {}, {}, {0, 0}}));
  EXPECT_EQ(blank.lengths().size(), 2U);
  EXPECT_EQ(blank.find("t"), 0U);
  const PostingsImage empty(image_of(3, {"chunk", {}, {}, {}}));
  EXPECT_EQ(empty.documents().size(), 1U);
  EXPECT_EQ(empty.term_count(), 0U);
}

TEST(PostingsImage, RefusesATermTwice) {
  EXPECT_THROW(image_of(1, {"chunk", {"a", "b", "a"}, {{{0, 1}}, {{0, 1}}, {{0, 1}}}, {3}}), Error);
}

TEST(PostingsImage, KnowsItsChecksum) {
  const FieldIndex field = drawn_field(30, 20, 1);
  EXPECT_EQ(PostingsImage(image_of(1, field)).checksum(),
            PostingsImage(image_of(1, field)).checksum());
  FieldIndex other = field;
  ++other.postings[0][0].frequency;  // stands in the lists alone
  EXPECT_NE(PostingsImage(image_of(1, field)).checksum(),
            PostingsImage(image_of(1, other)).checksum());
}

TEST(PostingsImage, FindsEveryChangedByteAndEveryLostOne) {
  const std::string good = image_of(5, drawn_field(140, 12, 4));
  for (std::size_t at = 0; at < good.size() - 8; ++at) {  // but the padding
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    EXPECT_THROW(
        {
          const PostingsImage image(bad);
          image.check();
        },
        BlobDamage)
        << at;
  }
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_THROW(PostingsImage(good.substr(0, size)), BlobDamage) << size;
  }
}

TEST(PostingsImage, ReadsAMappedFile) {
  const fineprint::testing::TempDir dir;
  const FieldIndex field = drawn_field(50, 30, 2);
  dir.write("x.postings", image_of(8, field));
  const PostingsImage image(MappedFile(dir.file("x.postings")));
  EXPECT_EQ(meaning_of(image), meaning_of(8, field));
  dir.write("x.postings", "short");
  EXPECT_THROW(PostingsImage(MappedFile(dir.file("x.postings"))), BlobDamage);
}

TEST(MergedImages, SayWhatTheLiveDocumentsSaid) {
  Meaning expected;
  std::vector<std::unique_ptr<PostingsImage>> images;
  std::vector<MergeInput> inputs;
  for (std::int64_t id = 1; id <= 9; ++id) {
    const FieldIndex field = drawn_field(id == 4 ? 0 : static_cast<std::uint32_t>(100 * (id % 3)),
                                         40, static_cast<unsigned>(id));
    images.push_back(std::make_unique<PostingsImage>(image_of(id, field)));
    const bool live = id % 4 != 3;
    inputs.push_back({images.back().get(), {live}});
    if (live) add(meaning_of(id, field), &expected);
  }
  const PostingsImage merged(merge_images(inputs));
  merged.check();
  EXPECT_EQ(meaning_of(merged), expected);
  EXPECT_EQ(merged.documents().size(), 7U);
  // Again, with documents gone from the middle of an image.
  const FieldIndex last = drawn_field(77, 60, 99);
  const PostingsImage other(image_of(20, last));
  const MergeInput both[] = {{&other, {true}},
                             {&merged, {true, true, false, true, true, true, true}}};
  const auto gone = merged.documents()[2].id;
  for (auto& [term, units] : expected) {
    std::erase_if(units, [&](const auto& entry) { return entry.first.first == gone; });
  }
  std::erase_if(expected, [](const auto& entry) { return entry.second.empty(); });
  add(meaning_of(20, last), &expected);
  EXPECT_EQ(meaning_of(PostingsImage(merge_images(both))), expected);
}

// Terms that differ after their first eight bytes, at them, or only in length; also with bytes of
// zero and of 128 and more.
TEST(MergedImages, KeepTheOrderOfAllKindsOfTerms) {
  std::vector<std::string> terms;
  for (const std::string& beginning :
       {std::string(), std::string("a"), std::string("eightbyt"), std::string("b\0", 2)}) {
    for (const std::string& end : {std::string("x"), std::string("e"), std::string("es"),
                                   std::string("\0", 1), std::string("\xc3\xa9")}) {
      terms.push_back(beginning + end);
    }
  }
  std::vector<std::unique_ptr<PostingsImage>> images;
  Meaning expected;
  std::mt19937 random(3);
  for (std::int64_t document = 1; document <= 40; ++document) {
    FieldIndex index{"chunk", {}, {}, {1}};
    for (const std::string& term : terms) {
      if (random() % 3 == 0) continue;
      index.terms.push_back(term);
      index.postings.push_back({{0, static_cast<std::uint32_t>(1 + random() % 9)}});
      expected[term][{document, 0}] = static_cast<int>(index.postings.back()[0].frequency);
    }
    images.push_back(std::make_unique<PostingsImage>(image_of(document, index)));
  }
  std::vector<MergeInput> inputs;
  for (const auto& image : images) inputs.push_back({image.get(), {true}});
  const PostingsImage merged(merge_images(inputs));
  merged.check();
  EXPECT_EQ(meaning_of(merged), expected);
}

TEST(MergedImages, OfNothingAreEmpty) {
  const PostingsImage merged(merge_images({}));
  EXPECT_TRUE(merged.documents().empty());
  EXPECT_EQ(merged.term_count(), 0U);
}

}  // namespace
}  // namespace fineprint::store
