// Scans by a GPU, with a library in its place that asked what it is asked and scores as the CPU.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/score/dense.h"
#include "fineprint/score/hybrid_mask.h"
#include "fineprint/score/max_sim.h"

#include "support/fake_encoders.h"
#include "support/small_store.h"

namespace fineprint::score {

// The library has its own.
struct DeviceRows {
  EncodedRows rows;
  std::vector<std::uint32_t> first;
};

}  // namespace fineprint::score

namespace fineprint::retrieve {
namespace {

using score::DeviceRows;
using score::VectorType;

struct Asked {
  int uploads = 0, held = 0, dots = 0, masks = 0, max_sims = 0;
  std::size_t rows = 0;  // uploaded
};
Asked asked;
int gpu_count = 1;
std::size_t free_memory = std::size_t{1} << 30;
int most_uploads = 1000;

DeviceRows* upload(int, const score::VectorBags& pages) {
  if (asked.uploads == most_uploads) return nullptr;
  ++asked.uploads;
  ++asked.held;
  asked.rows += pages.rows.count;
  auto* held = new DeviceRows;
  const score::VectorRows& rows = pages.rows;
  held->rows.type = rows.type;
  held->rows.count = rows.count;
  held->rows.dim = rows.dim;
  held->rows.values.assign(
      rows.row(0), rows.row(0) + rows.count * rows.dim * score::vector_type_bytes(rows.type));
  if (rows.type == VectorType::i8) {
    held->rows.scales.assign(rows.scales, rows.scales + rows.count);
  }
  held->first.assign(pages.first.begin(), pages.first.end());
  return held;
}

void release(DeviceRows* rows) {
  --asked.held;
  delete rows;
}

void dot_rows(DeviceRows& rows, const float* query, float* scores) {
  ++asked.dots;
  score::dot_rows(query, rows.rows.view(), scores);
}

void hybrid_mask_rows(DeviceRows& rows, const float* query, const score::MaskOptions& options,
                      float* scores) {
  ++asked.masks;
  score::hybrid_mask_rows(query, rows.rows.view(), options, scores);
}

void max_sim(DeviceRows& rows, const Matrix& query, float* scores) {
  ++asked.max_sims;
  score::max_sim(query, {rows.rows.view(), rows.first}, scores);
}

constexpr score::CudaTable kFake{.device_count = [] { return gpu_count; },
                                 .describe = [](int) { return std::string("a GPU"); },
                                 .free_bytes = [](int) { return free_memory; },
                                 .upload = upload,
                                 .release = release,
                                 .dot_rows = dot_rows,
                                 .hybrid_mask_rows = hybrid_mask_rows,
                                 .max_sim = max_sim};

constexpr std::size_t kDim = 24;
constexpr int kDocuments = 7, kPages = 5;

SearchOptions scored_by(const std::string& scorer) {
  SearchOptions options;
  options.scorers = {scorer};
  options.k = 10;
  return options;
}

class GpuScan : public ::testing::Test {
 protected:
  GpuScan() {
    asked = {};
    gpu_count = 1;
    free_memory = std::size_t{1} << 30;
    most_uploads = 1000;
    for (int document = 0; document < kDocuments; ++document) {
      documents_.push_back(store_.put(std::string(1, static_cast<char>('a' + document)) + ".pdf",
                                      std::vector<Page>(kPages, testing::typed_page({"word"}))));
    }
  }

  // Of `rows` vectors a unit. The last page of a document has none: a gap between parts.
  void add_set(const std::string& kind, std::size_t rows,
               store::VectorFormat format = {VectorType::f32, false},
               store::VectorUnit unit = store::VectorUnit::page) {
    store::VectorSet set;
    set.name = set.model = set.hash = kind;
    set.kind = kind.substr(0, kind.find('-'));
    set.unit = unit;
    set.dim = kDim;
    set.many_vectors = rows > 1;
    set.format = format;
    store_.register_set(set);
    for (const std::int64_t document : documents_) {
      std::vector<testing::Rows> units(kPages - 1);
      for (std::size_t u = 0; u < units.size(); ++u) {
        units[u] = vectors(rows > 1 ? rows + u % 3 : rows);
      }
      store_.put_vectors(kind, document, units);
    }
  }

  testing::Rows vectors(std::size_t count) {
    testing::Rows rows(count, std::vector<float>(kDim));
    for (auto& row : rows) {
      double squares = 0;
      for (float& value : row) {
        value = normal_(random_);
        squares += static_cast<double>(value) * value;
      }
      for (float& value : row) value = static_cast<float>(value / std::sqrt(squares));
    }
    return rows;
  }

  // A session whose encoder answers every question of ask().
  std::unique_ptr<session::Session> open(const std::string& kind, std::size_t query_vectors,
                                         const std::string& device) {
    std::mt19937 random(5);
    testing::FakeModel model{kind, {}};
    for (const char* question : kQuestions) {
      std::swap(random, random_);
      model.vectors[question] = vectors(query_vectors);
      std::swap(random, random_);
    }
    std::swap(random, random_);
    model.vectors["word"] = vectors(1);  // what pages without vectors say
    std::swap(random, random_);
    session::SessionOptions options;
    options.model.device.device = device;
    session::SessionParts parts;
    parts.encoders = std::make_unique<testing::FakeEncoders>(
        std::map<std::string, testing::FakeModel>{{"", model}});
    parts.gpu = &kFake;
    return std::make_unique<session::Session>(store_.store(), options, std::move(parts));
  }

  std::vector<FoundPage> ask(const session::Session& session, const std::string& question,
                             const SearchOptions& options) {
    Trace trace;
    Budget budget;
    session::Context context{session, trace, budget};
    return search(context, question, options);
  }

  void expect_same(const std::vector<FoundPage>& got, const std::vector<FoundPage>& expected) {
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_EQ(got[i].page, expected[i].page) << i;
      EXPECT_EQ(got[i].score, expected[i].score) << i;
    }
  }

  // Every question, by the GPU and by the CPU.
  void expect_the_cpus_ranking(const std::string& kind, std::size_t query_vectors,
                               const SearchOptions& options) {
    const auto gpu = open(kind, query_vectors, "cuda");
    const auto cpu = open(kind, query_vectors, "cpu");
    for (const char* question : kQuestions) {
      expect_same(ask(*gpu, question, options), ask(*cpu, question, options));
    }
  }

  static constexpr const char* kQuestions[] = {"one?", "two?", "three?", "four?", "five?", "six?"};
  testing::SmallStore store_;
  std::vector<std::int64_t> documents_;
  std::mt19937 random_{11};
  std::normal_distribution<float> normal_;
};

TEST_F(GpuScan, CosinesAreTheCpusAndASetIsCopiedOnce) {
  for (const VectorType type :
       {VectorType::f32, VectorType::f16, VectorType::bf16, VectorType::i8}) {
    asked = {};
    const std::string kind = "page-" + std::to_string(static_cast<int>(type) + 2);
    add_set(kind, 1, {type, false});
    expect_the_cpus_ranking(kind, 1, scored_by(kind));
    EXPECT_EQ(asked.uploads, 1) << kind;
    EXPECT_EQ(asked.rows, kDocuments * (kPages - 1)) << kind;
    EXPECT_EQ(asked.dots, 6) << "one scan of the GPU a question";
    EXPECT_EQ(asked.held, 0) << "what was copied goes with its session";
  }
}

TEST_F(GpuScan, TextsByTheirChunks) {
  add_set("text", 1, {VectorType::f16, false}, store::VectorUnit::chunk);
  expect_the_cpus_ranking("text", 1, scored_by("text"));
  EXPECT_EQ(asked.uploads, 1);
  EXPECT_EQ(asked.dots, 6);
}

TEST_F(GpuScan, LateInteraction) {
  add_set("late", 4, {VectorType::bf16, false});
  expect_the_cpus_ranking("late", 3, scored_by("late"));
  EXPECT_EQ(asked.uploads, 1);
  EXPECT_EQ(asked.max_sims, 6);
}

TEST_F(GpuScan, TheHybridMaskOverAllPages) {
  add_set("page", 1);
  SearchOptions options = scored_by("hybrid-mask");
  options.mask.full = true;
  expect_the_cpus_ranking("page", 1, options);
  EXPECT_EQ(asked.masks, 6);
}

TEST_F(GpuScan, OfCodesAndOriginalsTheCodesAreCopiedAndTheBestPagesAreExact) {
  add_set("page", 1, {VectorType::i8, true});
  add_set("late", 4, {VectorType::i8, true});
  SearchOptions options = scored_by("page");
  options.k = 3;
  expect_the_cpus_ranking("page", 1, options);
  EXPECT_EQ(asked.dots, 6);
  options.scorers = {"late"};
  expect_the_cpus_ranking("late", 3, options);
  EXPECT_EQ(asked.max_sims, 6);
  EXPECT_EQ(asked.uploads, 2);
  options = scored_by("hybrid-mask");  // of originals, which are not there
  options.mask.full = true;
  expect_the_cpus_ranking("page", 1, options);
  EXPECT_EQ(asked.masks, 0);
}

TEST_F(GpuScan, OfAPoolNothingElseIsFound) {
  add_set("page", 1);
  SearchOptions options = scored_by("page");
  options.docs = {"c.pdf"};
  expect_the_cpus_ranking("page", 1, options);
  EXPECT_EQ(asked.dots, 6);
}

TEST_F(GpuScan, WhatDoesNotFitIsScoredByTheCpu) {
  add_set("page", 1);
  add_set("late", 4);
  const std::size_t document = (kPages - 1) * kDim * sizeof(float);
  free_memory = 2 * 3 * document + document;  // half of it is three documents and a half
  expect_the_cpus_ranking("page", 1, scored_by("page"));
  EXPECT_EQ(asked.rows, 3 * (kPages - 1));
  EXPECT_EQ(asked.dots, 6);

  asked = {};
  free_memory = 10;
  ::testing::internal::CaptureStderr();
  expect_the_cpus_ranking("page", 1, scored_by("page"));
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(asked.uploads, 0);
  const std::size_t first = said.find("0 of 7 parts are in the GPU's memory");
  EXPECT_NE(first, std::string::npos) << said;
  EXPECT_EQ(said.find("0 of 7 parts are in the GPU's memory", first + 1), std::string::npos)
      << said;

  asked = {};
  free_memory = std::size_t{1} << 30;
  most_uploads = 0;  // somebody else was faster
  expect_the_cpus_ranking("late", 3, scored_by("late"));
  EXPECT_EQ(asked.max_sims, 0);
}

TEST_F(GpuScan, ASecondSetHasTheRoomThatTheFirstOneLeft) {
  add_set("page", 1);
  add_set("page-2", 1);
  const std::size_t set = kDocuments * (kPages - 1) * kDim * sizeof(float);
  free_memory = 3 * set;  // half of it: a set and a half
  const auto session = open("page", 1, "cuda");
  session->gpu_vectors().for_scan(session->vectors("page"));
  const session::GpuSet* second = session->gpu_vectors().for_scan(session->vectors("page-2"));
  EXPECT_EQ(asked.rows, (kDocuments + kDocuments / 2) * (kPages - 1));
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(second->parts(), kDocuments / 2);
}

TEST_F(GpuScan, OneQuestionIsNoReasonToCopy) {
  add_set("page", 1);
  const auto session = open("page", 1, "auto");
  for (int question = 0; question < 4; ++question) {
    ask(*session, kQuestions[question], scored_by("page"));
    EXPECT_EQ(asked.uploads, 0) << question;
  }
  ask(*session, kQuestions[4], scored_by("page"));
  EXPECT_EQ(asked.uploads, 1);
  EXPECT_EQ(asked.dots, 1);
}

TEST_F(GpuScan, WithoutTheGpuThatWasAskedForTheCpuScores) {
  add_set("page", 1);
  gpu_count = 0;
  const auto none = open("page", 1, "cuda");
  EXPECT_EQ(ask(*none, "one?", scored_by("page")).size(), 10U);
  gpu_count = 1;
  const auto other = open("page", 1, "cuda:1");
  EXPECT_EQ(ask(*other, "one?", scored_by("page")).size(), 10U);
  EXPECT_EQ(asked.uploads, 0);
}

}  // namespace
}  // namespace fineprint::retrieve
