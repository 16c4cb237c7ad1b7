// Page images into vectors: what models are shown, resuming, failing pages, graphs.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "fineprint/core/threads.h"
#include "fineprint/image/resample.h"
#include "fineprint/score/max_sim.h"
#include "fineprint/score/token_pooling.h"

#include "ingest_fixture.h"

namespace fineprint::ingest::testing {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

class PageVectors : public IngestTest {
 protected:
  PageVectors() {
    options_.scorers = {"bm25"};
    add("docs/rotated-table.pdf", "a.pdf");
  }
  Image raster(const std::string& name, int page) {
    documents::DocumentWorkers files({1, {}, {}, {}});
    return files.raster(dir_.file("in/" + name), page, 144, false, options_.read);
  }
  // The pages of a document without vectors, from 1.
  std::vector<int> missing(const std::string& doc, const std::string& set) const {
    const store::Store store(dir_.file("s"), store::Mode::read);
    const auto all = store.missing_vectors(set);
    std::vector<int> out;
    const auto found = all.find(store.find(doc)->id);
    if (found == all.end()) return out;
    for (const auto& [first, count] : found->second) {
      for (std::uint32_t i = 0; i < count; ++i) out.push_back(static_cast<int>(first + i) + 1);
    }
    return out;
  }
};

TEST_F(PageVectors, AreThoseOfThePageAt144DotsPerInch) {
  options_.retrievers = {"late"};
  EXPECT_EQ(run().vectors.at("late"), 2);
  const auto stored = vectors("late");
  ASSERT_EQ(stored.size(), 2U);
  EXPECT_EQ(stored.at({"a.pdf", 0}), fake_vectors("late", raster("a.pdf", 1)).values);
  EXPECT_EQ(stored.at({"a.pdf", 1}), fake_vectors("late", raster("a.pdf", 2)).values);
  const auto set = reader().vector_sets().at(0);
  EXPECT_EQ(set.input, "144 dpi");
  EXPECT_EQ(set.unit, store::VectorUnit::page);
  EXPECT_TRUE(set.many_vectors);
}

TEST_F(PageVectors, SeePagesStretchedWhereTheModelWantsIt) {
  options_.retrievers = {"page"};
  run();
  const Image stretched = image::resample(raster("a.pdf", 1), 32, 32, image::Filter::bicubic,
                                          image::Arithmetic::pillow);
  EXPECT_EQ(vectors("page").at({"a.pdf", 0}), fake_vectors("page", stretched).values);
  EXPECT_EQ(reader().vector_sets().at(0).input, "144 dpi, 32x32");
  for (const auto& size : counts_.sizes) EXPECT_EQ(size, std::pair(32, 32));
}

TEST_F(PageVectors, OfTwoCallsAtATimeAreTheSame) {
  add("docs/harbor-annual-report.pdf", "b.pdf");
  options_.retrievers = {"late"};
  run();
  const auto one_call = vectors("late");
  fs::remove_all(dir_.file("s"));
  counts_.calls_at_a_time = 2;
  EXPECT_EQ(run().vectors.at("late"), 13);
  EXPECT_EQ(vectors("late"), one_call);
}

TEST_F(PageVectors, AreNotMadeTwice) {
  options_.retrievers = {"late"};
  run();
  const int loads = counts_.loads;
  EXPECT_EQ(run_without_workers().vectors.at("late"), 0);
  EXPECT_EQ(counts_.loads, loads);
}

TEST_F(PageVectors, GoOnAfterAFailureOfTheModel) {
  add("docs/harbor-annual-report.pdf", "b.pdf");
  options_.retrievers = {"late"};
  counts_.fail_after = 7;
  failure(ErrorCode::model);
  EXPECT_EQ(vectors("late").size(), 7U);  // also of the document that was not finished
  counts_.fail_after = 1'000'000;
  EXPECT_EQ(run().vectors.at("late"), 6);
  EXPECT_EQ(vectors("late").size(), 13U);
}

TEST_F(PageVectors, AreKeptWhenInterrupted) {
  add("docs/harbor-annual-report.pdf", "b.pdf");
  options_.retrievers = {"late"};
  counts_.interrupt_after = 5;
  failure(ErrorCode::interrupted);
  set_interrupted(false);
  EXPECT_EQ(vectors("late").size(), 5U);
  counts_.interrupt_after = 1'000'000;
  EXPECT_EQ(run().vectors.at("late"), 8);
}

TEST_F(PageVectors, OfOneBadPageDoNotStopTheOthers) {
  add("docs/harbor-annual-report.pdf", "b.pdf");
  options_.retrievers = {"late"};
  counts_.calls_at_a_time = 2;  // several pages a call: the others of the call are not lost
  const auto width = raster("a.pdf", 1).width;
  ASSERT_NE(width, raster("a.pdf", 2).width);
  counts_.smallest_side = std::max(width, raster("a.pdf", 2).width);
  const int narrow = width < counts_.smallest_side ? 1 : 2;
  const IngestReport report = run();
  const auto bad = std::find_if(report.failures.begin(), report.failures.end(),
                                [](const FailedFile& one) { return one.file == "a.pdf"; });
  ASSERT_NE(bad, report.failures.end());
  EXPECT_NE(bad->message.find("page " + std::to_string(narrow)), std::string::npos) << bad->message;
  EXPECT_NE(bad->message.find("too narrow"), std::string::npos);
  EXPECT_EQ(report.failed, 0);
  EXPECT_FALSE(report.files_gone);
  EXPECT_EQ(missing("a.pdf", "late"), std::vector{narrow});
  counts_.smallest_side = 0;
  EXPECT_TRUE(run().failures.empty());  // tried again
  EXPECT_TRUE(missing("a.pdf", "late").empty());
}

// A sparse set takes whole documents, whatever order their pages were ready in.
TEST_F(PageVectors, OfTokensAreStoredByDocument) {
  add("docs/harbor-annual-report.pdf", "b.pdf");
  options_.retrievers = {"sparse"};
  EXPECT_EQ(run().vectors.at("sparse"), 13);
  const auto one_call = vectors("sparse");
  EXPECT_EQ(one_call.at({"a.pdf", 1}), fake_vectors("sparse", raster("a.pdf", 2)).values);
  EXPECT_EQ(reader().vector_sets().at(0).unit, store::VectorUnit::page);
  EXPECT_EQ(reader().vector_sets().at(0).input, "144 dpi");
  EXPECT_FALSE(reader().page_graph(1, "sparse"));
  EXPECT_EQ(run_without_workers().vectors.at("sparse"), 0);
  fs::remove_all(dir_.file("s"));
  counts_.calls_at_a_time = 2;
  EXPECT_EQ(run().vectors.at("sparse"), 13);
  EXPECT_EQ(vectors("sparse"), one_call);
}

// The other pages of the document are found, and the report says how to try again.
TEST_F(PageVectors, OfTokensAreKeptIfAPageIsBad) {
  options_.retrievers = {"sparse"};
  const auto width = raster("a.pdf", 1).width;
  counts_.smallest_side = std::max(width, raster("a.pdf", 2).width);
  const std::uint32_t bad = width < counts_.smallest_side ? 0 : 1;
  const IngestReport report = run();
  ASSERT_EQ(report.failures.size(), 1U);
  EXPECT_NE(report.failures[0].message.find("--drop-set sparse"), std::string::npos)
      << report.failures[0].message;
  const auto kept = vectors("sparse");
  EXPECT_FALSE(kept.contains({"a.pdf", bad}) && !kept.at({"a.pdf", bad}).empty());
  EXPECT_FALSE(kept.at({"a.pdf", 1 - bad}).empty());
}

// Without any page there is nothing to find, so the next run tries again.
TEST_F(PageVectors, OfTokensWaitIfNoPageHasAny) {
  options_.retrievers = {"sparse"};
  counts_.smallest_side = 100'000;
  const IngestReport report = run();
  ASSERT_EQ(report.failures.size(), 1U);
  EXPECT_NE(report.failures[0].message.find("the next run will try again"), std::string::npos)
      << report.failures[0].message;
  EXPECT_EQ(missing("a.pdf", "sparse").size(), 2U);
  counts_.smallest_side = 0;
  EXPECT_EQ(run().vectors.at("sparse"), 2);
}

TEST_F(PageVectors, WaitForFilesThatAreGoneOrChanged) {
  run();
  add("docs/harbor-annual-report.pdf", "b.pdf");
  run();
  fs::rename(dir_.file("in/a.pdf"), dir_.file("in/sub/a.pdf"));
  add("docs/reef-survey-paper.pdf", "b.pdf");
  options_.retrievers = {"late"};
  fs::create_directories(dir_.file("empty"));
  const IngestReport report = run({dir_.file("empty")});
  ASSERT_EQ(report.failures.size(), 2U);
  EXPECT_EQ(report.failures[0].file, "a.pdf");
  EXPECT_NE(report.failures[1].message.find("changed since"), std::string::npos);
  EXPECT_TRUE(report.files_gone);
  EXPECT_EQ(counts_.loads, 0);
  EXPECT_EQ(run().vectors.at("late"), 4 + 2);  // b.pdf, now read again, and sub/a.pdf
}

TEST_F(PageVectors, ArePooled) {
  options_.retrievers = {"late"};
  options_.pool_factor = 3;
  run();
  const Matrix all = fake_vectors("late", raster("a.pdf", 1));
  const Matrix pooled = score::pool_tokens(all, 3);
  ASSERT_LT(pooled.rows, all.rows);
  EXPECT_EQ(vectors("late").at({"a.pdf", 0}), pooled.values);
  EXPECT_EQ(reader().vector_sets().at(0).pool_factor, 3);
}

TEST_F(PageVectors, AreStoredAsAsked) {
  options_.retrievers = {"late"};
  options_.vector_format = store::VectorFormat{score::VectorType::i8, true};
  run();
  const auto exact = fake_vectors("late", raster("a.pdf", 1)).values;
  const auto codes = vectors("late").at({"a.pdf", 0});
  EXPECT_EQ(vectors("late", true).at({"a.pdf", 0}), exact);
  ASSERT_EQ(codes.size(), exact.size());
  EXPECT_NE(codes, exact);
  for (std::size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(codes[i], exact[i], 1.0 / 254 + 1e-6);
}

TEST_F(PageVectors, AreLinkedIntoGraphs) {
  add("docs/harbor-annual-report.pdf", "b.pdf");
  options_.retrievers = {"late"};
  options_.graph.threshold = -1;
  options_.graph.neighbours = 2;
  run();
  const store::Store store(dir_.file("s"), store::Mode::read);
  const auto graph = store.page_graph(store.find("b.pdf")->id, "late");
  ASSERT_TRUE(graph.has_value());
  // The same graph, from the vectors.
  const auto stored = vectors("late");
  std::vector<float> values;
  std::vector<std::uint32_t> first = {0};
  for (std::uint32_t p = 0; p < 11; ++p) {
    const auto& page = stored.at({"b.pdf", p});
    values.insert(values.end(), page.begin(), page.end());
    first.push_back(static_cast<std::uint32_t>(values.size() / 8));
  }
  const score::VectorRows rows{score::VectorType::f32, values.data(), nullptr, values.size() / 8,
                               8};
  EXPECT_EQ(graph->neighbours, score::page_graph({rows, first}, graph->options));
  EXPECT_GE(graph->neighbours.at(0).size(), 2U);
  EXPECT_TRUE(store.page_graph(store.find("a.pdf")->id, "late").has_value());  // without edges
}

// Where no picture is embedded, pages are linked by what their chunks have in common.
TEST_F(PageVectors, TextsLinkPagesToo) {
  add("docs/harbor-annual-report.pdf", "b.pdf");
  options_.retrievers = {"text"};
  options_.graph.neighbours = 2;
  run();
  const store::Store store(dir_.file("s"), store::Mode::read);
  const std::int64_t id = store.find("b.pdf")->id;
  const auto graph = store.page_graph(id, "text");
  ASSERT_TRUE(graph.has_value());
  EXPECT_EQ(graph->options.threshold, 0.4);
  ASSERT_EQ(graph->neighbours.size(), 11U);
  // The same graph, from the vectors of each page's chunks.
  const auto stored = vectors("text");
  std::vector<std::vector<float>> of_page(11);
  for (const store::StoredChunk& chunk : store.chunks(id)) {
    const auto& values = stored.at({"b.pdf", chunk.ordinal});
    auto& page = of_page.at(static_cast<std::size_t>(chunk.chunk.page) - 1);
    page.insert(page.end(), values.begin(), values.end());
  }
  const std::size_t width = stored.at({"b.pdf", 0}).size();
  std::vector<float> values;
  std::vector<std::uint32_t> first = {0};
  for (const auto& page : of_page) {
    values.insert(values.end(), page.begin(), page.end());
    first.push_back(static_cast<std::uint32_t>(values.size() / width));
  }
  const score::VectorRows rows{score::VectorType::f32, values.data(), nullptr,
                               values.size() / width, static_cast<std::uint32_t>(width)};
  EXPECT_EQ(graph->neighbours, score::page_graph({rows, first}, graph->options));
}

TEST_F(PageVectors, KeepTheirGraphsUntilOptionsOrVectorsChange) {
  const auto options_of = [&](const std::string& doc) {
    const store::Store store(dir_.file("s"), store::Mode::read);
    return store.page_graph(store.find(doc)->id, "late").value().options;
  };
  options_.retrievers = {"late"};
  options_.graph.threshold = 0.25;
  run();
  EXPECT_EQ(options_of("a.pdf").threshold, 0.25);
  options_ = {};
  options_.read.ocr = documents::OcrMode::never;
  add("docs/reef-survey-paper.pdf", "b.pdf");
  run();  // nothing said: as before, also of new documents
  EXPECT_EQ(options_of("b.pdf").threshold, 0.25);
  EXPECT_EQ(options_of("a.pdf").threshold, 0.25);
  options_.graph.similarity = score::GraphSimilarity::max_sim;
  run();
  EXPECT_EQ(options_of("a.pdf").similarity, score::GraphSimilarity::max_sim);
  EXPECT_EQ(options_of("a.pdf").threshold, 0.25);
}

}  // namespace
}  // namespace fineprint::ingest::testing
