// The power is cut after every single write: the store opens, is whole, and has what was promised.
#include "power_cut.h"

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"

#include "sample.h"
#include "support/temp_dir.h"

namespace fineprint::store {
namespace {

using fineprint::testing::TempDir;
using testing::Lost;
using testing::sample_document;

const testing::SampleSize kSize{.pages = 2, .words_a_page = 20, .vocabulary = 30};

// What was stored for good once so many changes were recorded.
struct Promise {
  std::size_t at = 0;
  std::string doc;
  unsigned seed = 0;  // of the version; 0: it was removed
};

struct Recording {
  std::vector<Promise> promises;
  std::size_t changes = 0;
};

Recording write_a_store(const std::string& dir) {
  Recording out;
  testing::begin_recording(dir);
  {
    Store store(dir + "/s", Mode::write);
    const auto put = [&](const std::string& doc, unsigned seed) {
      testing::put_with_vectors(store, sample_document(doc, seed, kSize));
      out.promises.push_back({testing::recorded(), doc, seed});
    };
    put("a", 1);
    put("b", 2);
    store.compact();
    put("a", 3);
    store.remove("b");
    out.promises.push_back({testing::recorded(), "b", 0});
    put("c", 4);
    store.compact();
  }
  out.changes = testing::recorded();
  testing::end_recording();
  return out;
}

// A document is the version that was promised last, or one of those that came after.
void expect_promises(const Store& store, const Recording& recording, std::size_t cut) {
  for (const char* doc : {"a", "b", "c"}) {
    std::vector<unsigned> possible = {0};
    for (const Promise& promise : recording.promises) {
      if (promise.doc != doc) continue;
      if (promise.at <= cut) possible.clear();
      possible.push_back(promise.seed);
    }
    bool kept = false;
    for (const unsigned seed : possible) {
      kept |= seed == 0 ? !store.find(doc)
                        : testing::difference(store, sample_document(doc, seed, kSize)).empty();
    }
    EXPECT_TRUE(kept) << doc << " is none of the versions that it can be";
  }
}

void expect_sound(const std::string& dir, const Recording& recording, std::size_t cut) {
  try {
    const Store store(dir + "/s", Mode::write);
    EXPECT_EQ(store.verify(), std::vector<std::string>());
    expect_promises(store, recording, cut);
  } catch (const Error& error) {
    ADD_FAILURE() << error.what();
  }
}

class PowerCut : public ::testing::TestWithParam<Lost> {
  const testing::NoSyncs no_syncs_;
};

TEST_P(PowerCut, LeavesAStoreThatIsWhole) {
  const TempDir dir;
  std::filesystem::create_directories(dir.file("in"));
  const Recording recording = write_a_store(dir.file("in"));
  ASSERT_GT(recording.changes, 100U);
  for (std::size_t cut = 0; cut <= recording.changes; ++cut) {
    if (!testing::makes_a_difference(cut, GetParam())) continue;
    SCOPED_TRACE("cut after " + std::to_string(cut) + " of " + std::to_string(recording.changes));
    std::filesystem::remove_all(dir.file("out"));
    testing::make_left_over(cut, GetParam(), dir.file("out"));
    expect_sound(dir.file("out"), recording, cut);
    if (HasFailure()) return;
  }
}

// Answers are lines of a file: those that were appended are there, whole, and appending goes on.
TEST_P(PowerCut, LosesNoLineThatWasAppended) {
  const TempDir dir;
  std::filesystem::create_directories(dir.file("in"));
  std::vector<std::size_t> promised;
  std::string all;
  testing::begin_recording(dir.file("in"));
  {
    LineAppender lines(dir.file("in/answers"));
    for (int i = 0; i < 5; ++i) {
      lines.append("answer " + std::to_string(i));
      promised.push_back(testing::recorded());
      all += "answer " + std::to_string(i) + "\n";
    }
  }
  testing::end_recording();
  constexpr std::size_t kLineBytes = 9;
  for (std::size_t cut = 0; cut <= promised.back(); ++cut) {
    SCOPED_TRACE(cut);
    testing::make_left_over(cut, GetParam(), dir.file("out"));
    LineAppender(dir.file("out/answers")).append("more");
    const std::string left = read_file(dir.file("out/answers"));
    const auto kept = static_cast<std::size_t>(std::ranges::count_if(
                          promised, [&](std::size_t at) { return at <= cut; })) *
                      kLineBytes;
    EXPECT_GE(left.size(), kept + 5);
    EXPECT_EQ(left, all.substr(0, left.size() - 5) + "more\n");
    std::filesystem::remove_all(dir.file("out"));
  }
}

// A state is a file that nothing names: whole after any cut, or not there.
TEST_P(PowerCut, LeavesStatesWholeOrAway) {
  const TempDir dir;
  std::filesystem::create_directories(dir.file("in/s"));
  testing::begin_recording(dir.file("in/s"));
  PrefixFolder states(dir.file("in/s"));
  for (const char* key : {"0a", "0b"}) testing::put_sample_state(states, key, 300);
  const std::size_t changes = testing::recorded();
  testing::end_recording();
  for (std::size_t cut = 0; cut <= changes; ++cut) {
    SCOPED_TRACE(cut);
    testing::make_left_over(cut, GetParam(), dir.file("out"));
    const PrefixFolder left(dir.file("out"));
    EXPECT_EQ(left.summary().unusable.states, 0);
    std::filesystem::remove_all(dir.file("out"));
  }
}

INSTANTIATE_TEST_SUITE_P(Both, PowerCut, ::testing::Values(Lost::everything, Lost::contents),
                         [](const auto& one) {
                           return one.param == Lost::everything ? "AllIsLost" : "ContentsAreLost";
                         });

}  // namespace
}  // namespace fineprint::store
