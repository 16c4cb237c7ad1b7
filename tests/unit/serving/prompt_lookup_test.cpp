// Tests of proposals from the text of a prompt, without a network.
#include "fineprint/serving/prompt_lookup.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace fineprint::serving {
namespace {

using Ids = std::vector<std::int64_t>;

// 100, 101, ... up to 199: no token occurs twice.
Ids hundred() {
  Ids ids(100);
  std::iota(ids.begin(), ids.end(), 100);
  return ids;
}

void say(PromptLookup* lookup, const Ids& ids) {
  for (const std::int64_t id : ids) lookup->saw(id);
}

TEST(PromptLookup, ProposesWhatFollowedTheSameTokens) {
  PromptLookup lookup(hundred());
  say(&lookup, {120, 121, 122, 123, 124, 125, 126, 127});
  const Ids proposal = lookup.propose(kMostProposed);
  ASSERT_GE(proposal.size(), 2U);
  Ids wanted(proposal.size());
  std::iota(wanted.begin(), wanted.end(), 128);
  EXPECT_EQ(proposal, wanted);
}

TEST(PromptLookup, ProposesNothingWithoutAMatch) {
  PromptLookup lookup(hundred());
  EXPECT_TRUE(lookup.propose(kMostProposed).empty());
  say(&lookup, {7, 8, 9});
  EXPECT_TRUE(lookup.propose(kMostProposed).empty());
  say(&lookup, {150});  // a single equal token
  EXPECT_TRUE(lookup.propose(kMostProposed).empty());
  EXPECT_TRUE(PromptLookup({}).propose(kMostProposed).empty());
}

TEST(PromptLookup, TheLongestMatchCountsThenTheLatest) {
  // 1 2 3 occurs twice, the later one after another token than the reply's.
  PromptLookup lookup(Ids{9, 1, 2, 3, 50, 8, 1, 2, 3, 60, 7, 1, 2, 3, 70, 0});
  say(&lookup, {9, 1, 2, 3});
  EXPECT_EQ(lookup.propose(1), Ids{50});
  PromptLookup other(Ids{9, 1, 2, 3, 50, 8, 1, 2, 3, 60, 7, 1, 2, 3, 70, 0});
  say(&other, {5, 1, 2, 3});
  EXPECT_EQ(other.propose(1), Ids{70});
}

TEST(PromptLookup, KeepsToTheLimitAndTheEndOfTheText) {
  PromptLookup lookup(hundred());
  say(&lookup, {120, 121, 122, 123, 124, 125, 126, 127});
  EXPECT_EQ(lookup.propose(1), Ids{128});
  EXPECT_TRUE(lookup.propose(0).empty());
  EXPECT_LE(lookup.propose(1000).size(), static_cast<std::size_t>(kMostProposed));
  PromptLookup loop(Ids{1, 2, 3, 4});
  say(&loop, {1, 2, 3, 4});
  const Ids all = {1, 2, 3, 4};
  const Ids proposal = loop.propose(kMostProposed);
  ASSERT_LE(proposal.size(), all.size()) << "no token beyond the text";
  EXPECT_TRUE(std::equal(proposal.begin(), proposal.end(), all.begin()));
}

TEST(PromptLookup, NeverProposesAnImagesPlaceholder) {
  PromptLookup lookup(Ids{1, 2, 3, 4, 5, -1, -2, -3, 6, 7});
  say(&lookup, {1, 2, 3, 4});
  EXPECT_EQ(lookup.propose(kMostProposed), Ids{5});
  lookup.saw(5);
  EXPECT_TRUE(lookup.propose(kMostProposed).empty());
}

TEST(PromptLookup, FindsARepetitionInTheReplyItself) {
  PromptLookup lookup(Ids{1});
  say(&lookup, {20, 21, 22, 23, 24, 20, 21, 22});
  const Ids proposal = lookup.propose(2);
  EXPECT_EQ(proposal, (Ids{23, 24}));
}

// Of matches that always mislead, fewer and fewer are tried, but some for ever: a text may begin to
// be quoted at any time.
TEST(PromptLookup, GivesUpWhatIsNeverAcceptedAndTriesAgain) {
  PromptLookup lookup(hundred());
  std::mt19937 random(1);
  const auto round = [&] {
    const auto start = static_cast<std::int64_t>(100 + random() % 80);
    say(&lookup, {start, start + 1, start + 2, start + 3, start + 4, start + 5});
    const std::int64_t size = std::ssize(lookup.propose(kMostProposed));
    lookup.checked(size, 0);
    lookup.saw(7);
    return size;
  };
  std::int64_t first = 0, later = 0;
  for (int i = 0; i < 5; ++i) first += round();
  for (int i = 0; i < 95; ++i) round();
  for (int i = 0; i < 100; ++i) later += round();
  EXPECT_GT(first, 5);
  EXPECT_GT(later, 0);
  EXPECT_LT(later, 60);
  EXPECT_EQ(lookup.accepted_tokens(), 0);
  EXPECT_GT(lookup.proposed_tokens(), 0);
}

TEST(PromptLookup, ProposesMoreWhileAllIsAccepted) {
  Ids text(2000);
  std::iota(text.begin(), text.end(), 100);
  PromptLookup lookup(text);
  say(&lookup, {100, 101, 102, 103, 104, 105, 106});
  std::int64_t next = 107, last = 0;
  for (int i = 0; i < 20; ++i) {
    const Ids proposal = lookup.propose(kMostProposed);
    last = std::ssize(proposal);
    lookup.checked(last, last);
    say(&lookup, proposal);
    next += last;
    lookup.saw(next++);
  }
  EXPECT_EQ(last, kMostProposed);
  EXPECT_EQ(lookup.accepted_tokens(), lookup.proposed_tokens());
}

}  // namespace
}  // namespace fineprint::serving
