// Passes over vectors that several searches make at the same time.
#include <array>
#include <atomic>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/session/context.h"

#include "support/fake_encoders.h"
#include "support/small_store.h"

namespace fineprint::session {
namespace {

constexpr std::size_t kDim = 512;
constexpr int kPages = 40, kRows = 64;  // of each of three documents: 5 MB

// Large enough that passes over a single document are shared.
class VectorPassesTest : public ::testing::Test {
 protected:
  VectorPassesTest() {
    const Page page = testing::typed_page({"x"});
    store_.register_set("late", store::VectorUnit::page, kDim, true);
    for (const std::string doc : {"a.pdf", "b.pdf", "c.pdf"}) {
      const std::int64_t id = store_.put(doc, std::vector<Page>(kPages, page));
      const testing::Rows rows(kRows, std::vector<float>(kDim, 1));
      store_.put_vectors("late", id, std::vector<testing::Rows>(kPages, rows));
    }
    session_.emplace(
        store_.store(), SessionOptions{},
        std::make_unique<testing::FakeEncoders>(std::map<std::string, testing::FakeModel>{}));
  }

  const VectorView& view() const { return session_->vectors("late"); }

  // Returns how often a pass over the given documents comes to each unit.
  std::vector<int> visits(const std::vector<bool>& documents) const {
    std::vector<std::atomic<int>> counts(view().unit_count());
    const PartVisitor count = [&](const VectorPart& part, std::uint32_t first,
                                  std::uint32_t units) {
      for (std::uint32_t i = 0; i < units; ++i) ++counts[part.first_unit.value + first + i];
    };
    view().scan(session_->models(), {.visit = count, .documents = documents, .stop = {}});
    return {counts.begin(), counts.end()};
  }

  static std::vector<int> expected(const std::vector<bool>& documents) {
    std::vector<int> counts;
    for (const bool is_wanted : documents) counts.insert(counts.end(), kPages, is_wanted ? 1 : 0);
    return counts;
  }

  testing::SmallStore store_;
  std::optional<Session> session_;
};

TEST_F(VectorPassesTest, ComeToEachUnitOfTheirDocumentsOnce) {
  for (const std::vector<bool>& documents :
       {std::vector<bool>{true, true, true}, std::vector<bool>{false, true, false},
        std::vector<bool>{false, false, false}}) {
    EXPECT_EQ(visits(documents), expected(documents));
  }
}

TEST_F(VectorPassesTest, AreNotMixedUpWhenMadeTogether) {
  const std::vector<std::vector<bool>> pools = {
      {true, true, true}, {true, false, false}, {false, true, true}, {false, false, true}};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      const std::vector<bool>& documents = pools[t % pools.size()];
      for (int i = 0; i < 10; ++i) EXPECT_EQ(visits(documents), expected(documents));
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// The first pass waits for the others to come, so that these are made together.
TEST_F(VectorPassesTest, EndEachForItself) {
  const std::vector<bool> all = {true, true, true};
  const StopSource stopped;
  stopped.request_stop();
  std::atomic<int> started = 0;
  std::atomic<bool> has_begun = false;
  std::array<std::atomic<int>, 4> units = {};
  std::array<ErrorCode, 4> ends = {};  // of each pass; `internal`: it ended well
  const auto pass = [&](std::size_t number, const StopToken& stop) {
    const PartVisitor visit = [&](const VectorPart&, std::uint32_t, std::uint32_t count) {
      has_begun = true;
      while (number == 0 && started < 3) std::this_thread::yield();
      if (number == 1) throw Error(ErrorCode::store, "a broken pass");
      units[number] += static_cast<int>(count);
    };
    ends[number] = ErrorCode::internal;
    try {
      if (number > 0) ++started;
      view().scan(session_->models(), {.visit = visit, .documents = all, .stop = stop});
    } catch (const Error& error) {
      ends[number] = error.code();
    }
  };
  view();  // opened by one thread
  std::vector<std::thread> threads;
  threads.emplace_back([&] { pass(0, {}); });
  while (!has_begun) std::this_thread::yield();
  for (std::size_t i = 1; i < 4; ++i) {
    threads.emplace_back([&, i] { pass(i, i == 2 ? stopped.token() : StopToken()); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ends, (std::array{ErrorCode::internal, ErrorCode::store, ErrorCode::interrupted,
                              ErrorCode::internal}));
  EXPECT_EQ(units[0], 3 * kPages);
  EXPECT_EQ(units[1], 0);
  EXPECT_EQ(units[2], 0);
  EXPECT_EQ(units[3], 3 * kPages);
}

// Makes different vectors of a text in another company, if `varies` is set; counts its calls.
class Company : public models::Encoder {
 public:
  explicit Company(bool is_same) : is_same_(is_same) {}
  std::string name() const override { return "company"; }
  std::string hash() const override { return "company-hash"; }
  std::size_t dim() const override { return 2; }
  bool many_vectors() const override { return false; }
  bool sees() const override { return false; }
  bool same_in_company() const override { return is_same_; }
  std::vector<Matrix> embed_images(std::span<const Image>) const override { return {}; }
  std::vector<Matrix> embed_texts(std::span<const std::string> texts,
                                  models::TextRole role) const override {
    EXPECT_EQ(role, models::TextRole::query);
    // The first call waits until the others are on their way.
    if (calls++ == 0) {
      while (started < 4) std::this_thread::yield();
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    most = std::max<std::size_t>(most, texts.size());
    std::vector<Matrix> rows;
    for (const std::string& text : texts) {
      rows.push_back({1, 2, {static_cast<float>(text.size()), 0}});
    }
    return rows;
  }

  mutable std::atomic<int> calls = 0, started = 0;
  mutable std::size_t most = 0;  // texts of a call

 private:
  const bool is_same_;
};

void embed_four(const Company& encoder) {
  const Models models({});
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i <= 4; ++i) {
    threads.emplace_back([&, i] {
      ++encoder.started;
      EXPECT_EQ(models.embed_query(encoder, std::string(i, 'x')).values.front(), i);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(QuestionsTogether, GetTheirOwnVectors) {
  const Company encoder(true);
  embed_four(encoder);
  EXPECT_LE(encoder.calls, 4);
}

TEST(QuestionsTogether, AreNotMadeByAnEncoderThatMinds) {
  const Company encoder(false);
  embed_four(encoder);
  EXPECT_EQ(encoder.most, 1U);
  EXPECT_EQ(encoder.calls, 4);
}

}  // namespace
}  // namespace fineprint::session
