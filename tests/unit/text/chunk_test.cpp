// Chunks keep to pages, lines and limits, and know what they stand under.
#include "fineprint/text/chunk.h"

#include <random>

#include <gtest/gtest.h>

#include "unit/text/page_maker.h"

namespace fineprint::text {
namespace {

using testing::add_element;

const tokenizer::Tokenizer& tokenizer() {
  static const auto kTokenizer = tokenizer::Tokenizer::load(std::string(FINEPRINT_TEST_DATA) +
                                                            "/tok_bert/model/tokenizer.json");
  return *kTokenizer;
}

std::vector<Chunk> chunks_of(const std::vector<Page>& pages, const ChunkOptions& options = {},
                             const DocumentInfo& info = {}) {
  return chunk_document(info, "Annual Report", pages, tokenizer(), options);
}

Page numbered(int number) {
  Page page;
  page.number = number;
  return page;
}

std::vector<std::string> repeated(std::size_t count, const std::string& line) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(line + " " + std::to_string(i));
  return out;
}

TEST(ChunkTest, ShortPageIsOneChunkWithoutFurniture) {
  Page page = numbered(3);
  add_element(&page, ElementKind::furniture, {"running head"});
  add_element(&page, ElementKind::heading, {"Results"}, 16, 1);
  add_element(&page, ElementKind::paragraph, {"sales rose", "costs fell"}, 10, 0, 1);
  add_element(&page, ElementKind::furniture, {"page 3"});
  const auto chunks = chunks_of({page});
  ASSERT_EQ(chunks.size(), 1u);
  EXPECT_EQ(chunks[0].page, 3);
  EXPECT_EQ(chunks[0].text, "Results\nsales rose\ncosts fell");
  EXPECT_EQ(chunks[0].context, "Annual Report");
  EXPECT_EQ(chunks[0].first_word, 2u);
  EXPECT_EQ(chunks[0].word_count, 5u);
  EXPECT_EQ(chunks[0].box, (Box{0, 12, 22, 46}));
}

TEST(ChunkTest, PagesWithoutWordsGiveNone) {
  EXPECT_TRUE(chunks_of({}).empty());
  Page page = numbered(1);
  page.elements.emplace_back();
  EXPECT_TRUE(chunks_of({page, numbered(2)}).empty());
}

TEST(ChunkTest, HeadingsStartChunksAndGoOverPages) {
  Page first = numbered(1);
  add_element(&first, ElementKind::heading, {"Part One"}, 20, 1);
  add_element(&first, ElementKind::heading, {"Sales"}, 14, 2, 0);
  add_element(&first, ElementKind::paragraph, repeated(10, "the sales of the year"), 10, 0, 1);
  add_element(&first, ElementKind::heading, {"Costs"}, 14, 2, 0);
  add_element(&first, ElementKind::paragraph, repeated(3, "the cost of the year"), 10, 0, 3);
  Page second = numbered(2);
  add_element(&second, ElementKind::paragraph, {"more of the cost"});
  add_element(&second, ElementKind::heading, {"Part Two"}, 20, 1);
  add_element(&second, ElementKind::paragraph, {"all is well"}, 10, 0, 1);
  Page third = numbered(3);
  add_element(&third, ElementKind::paragraph, {"and so on"});
  ChunkOptions options;
  options.max_tokens = 60;
  options.overlap_tokens = 15;
  const auto chunks = chunks_of({first, second, third}, options);
  ASSERT_GE(chunks.size(), 5u);
  EXPECT_EQ(chunks[0].context, "Annual Report");
  EXPECT_TRUE(chunks[0].text.starts_with("Part One\nSales\n"));
  EXPECT_EQ(chunks[1].context, "Annual Report > Part One > Sales");
  const Chunk& costs = chunks[chunks.size() - 3];
  EXPECT_TRUE(costs.text.starts_with("Costs\n"));
  EXPECT_EQ(costs.context, "Annual Report > Part One");
  EXPECT_EQ(chunks[chunks.size() - 2].context, "Annual Report > Part One > Costs");
  EXPECT_EQ(chunks.back().context, "Annual Report > Part Two");
}

TEST(ChunkTest, OverlapIsWholeLines) {
  Page page = numbered(1);
  add_element(&page, ElementKind::paragraph, repeated(12, "the sales of the year"));
  ChunkOptions options;
  options.max_tokens = 30;
  options.overlap_tokens = 10;
  const auto chunks = chunks_of({page}, options);
  ASSERT_GT(chunks.size(), 2u);
  for (std::size_t i = 1; i < chunks.size(); ++i) {
    const std::string first_line = chunks[i].text.substr(0, chunks[i].text.find('\n'));
    EXPECT_TRUE(chunks[i - 1].text.ends_with("\n" + first_line)) << chunks[i].text;
  }
}

TEST(ChunkTest, TablesRepeatCaptionAndFirstRow) {
  Page page = numbered(1);
  std::vector<std::string> rows = repeated(20, "sales of goods");
  rows.insert(rows.begin(), "in millions 2022 2021");
  add_element(&page, ElementKind::table, rows);
  page.elements[0].caption = "Table 1 Sales";
  ChunkOptions options;
  options.max_tokens = 40;
  const auto chunks = chunks_of({page}, options);
  ASSERT_GT(chunks.size(), 1u);
  EXPECT_EQ(chunks[0].context, "Annual Report");
  for (std::size_t i = 1; i < chunks.size(); ++i) {
    EXPECT_EQ(chunks[i].context, "Annual Report > Table 1 Sales | in millions 2022 2021");
  }
}

TEST(ChunkTest, OutlineGivesContext) {
  DocumentInfo info;
  info.outline = {{1, "Item 1", 1}, {2, "Overview", 1}, {1, "Item 2", 3},
                  {2, "Risk", 3},   {1, "Nowhere", 0},  {1, "Item 3", 5}};
  std::vector<Page> pages;
  for (int number = 1; number <= 5; ++number) {
    pages.push_back(numbered(number));
    add_element(&pages.back(), ElementKind::paragraph, {"some text"});
  }
  const auto chunks = chunks_of(pages, {}, info);
  ASSERT_EQ(chunks.size(), 5u);
  EXPECT_EQ(chunks[0].context, "Annual Report > Item 1 > Overview");
  EXPECT_EQ(chunks[1].context, "Annual Report > Item 1 > Overview");
  EXPECT_EQ(chunks[2].context, "Annual Report > Item 2 > Risk");
  EXPECT_EQ(chunks[3].context, "Annual Report > Item 2 > Risk");
  EXPECT_EQ(chunks[4].context, "Annual Report > Item 3");
}

TEST(ChunkTest, ContextIsLimited) {
  Page page = numbered(1);
  add_element(&page, ElementKind::heading, repeated(1, "a very long heading of the year and more"),
              20, 1);
  add_element(&page, ElementKind::paragraph, repeated(20, "text of the page"), 10, 0, 0);
  for (int limit = 0; limit < 20; ++limit) {
    ChunkOptions options;
    options.max_tokens = 40;
    options.context_tokens = limit;
    for (const Chunk& chunk : chunks_of({page}, options)) {
      EXPECT_LE(tokenizer().count(chunk.context), static_cast<std::size_t>(limit));
    }
  }
}

TEST(ChunkTest, LongLinesAreCutBetweenWords) {
  Page page = numbered(1);
  std::string line;
  for (int i = 0; i < 100; ++i) line += "the ";
  add_element(&page, ElementKind::paragraph, {line, std::string(50, '.')});
  ChunkOptions options;
  options.max_tokens = 30;
  const auto chunks = chunks_of({page}, options);
  std::uint32_t end = 0;
  for (const Chunk& chunk : chunks) {
    EXPECT_LE(chunk.first_word, end);
    end = chunk.first_word + chunk.word_count;
    if (chunk.word_count > 1) {
      EXPECT_LE(tokenizer().count(chunk.text), 30u);
    }
  }
  EXPECT_EQ(end, 101u);
}

// A page of random elements; some words are not UTF-8.
Page random_page(int number, std::mt19937* random) {
  Page page = numbered(number);
  for (std::size_t e = (*random)() % 8; e > 0; --e) {
    const auto kind = static_cast<ElementKind>((*random)() % 7);
    std::vector<std::string> lines((*random)() % 6);
    for (std::string& line : lines) {
      for (std::size_t n = 1 + (*random)() % 12; n > 0; --n) {
        line += (*random)() % 20 == 0 ? "\xff\xc3 " : "year sales2 ";
      }
    }
    add_element(&page, kind, lines, 8 + static_cast<float>((*random)() % 10),
                static_cast<int>((*random)() % 3));
  }
  return page;
}

TEST(ChunkTest, ChunksCoverAllLinesWithinLimits) {
  std::mt19937 random(99);
  for (int round = 0; round < 150; ++round) {
    std::vector<Page> pages;
    for (int number = 1; number <= 3; ++number) pages.push_back(random_page(number, &random));
    ChunkOptions options;
    options.max_tokens = 20 + static_cast<int>(random() % 80);
    options.overlap_tokens = static_cast<int>(random() % 30);
    const auto chunks = chunks_of(pages, options);
    EXPECT_EQ(chunks, chunks_of(pages, options));
    for (const Page& page : pages) {
      std::vector<bool> covered(page.words.size());
      for (const Chunk& chunk : chunks) {
        if (chunk.page != page.number) continue;
        ASSERT_LE(chunk.first_word + chunk.word_count, page.words.size());
        EXPECT_LE(tokenizer().count(chunk.text), static_cast<std::size_t>(options.max_tokens));
        std::fill_n(covered.begin() + chunk.first_word, chunk.word_count, true);
      }
      for (const Element& element : page.elements) {
        for (std::uint32_t i = 0; i < element.line_count; ++i) {
          const Line& line = page.lines[element.first_line + i];
          for (std::uint32_t w = 0; w < line.word_count; ++w) {
            EXPECT_EQ(covered[line.first_word + w], element.kind != ElementKind::furniture);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace fineprint::text
