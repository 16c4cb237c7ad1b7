// Tests of the checker of transcript tests: whatever goes other than expected must fail.
#include <algorithm>

#include <gtest/gtest.h>

#include "unit/pipelines/case_run.h"

namespace fineprint::testing {
namespace {

// Goes as written; each test below makes one thing of it wrong.
constexpr const char* kRight = R"(pipeline visualrag
set scorer = page
docs report.pdf
question Who audits the company?
pages
  report.pdf:1 0.9 | The auditor is Brandt & Co.
  report.pdf:2 0.8 | Appendix.
  secret.pdf:1 0.7 | Salaries.
script
  answer.pages entropy=0.5 => {"answer": "Brandt & Co", "answerable": true, "pages": [0]}
calls
  answer.pages page report.pdf:1-2
    says Who audits
    hides Salaries
    tokens 256
answer Brandt & Co
confidence 0.60653066
citations
  report.pdf:1 whole
retrieved
  report.pdf:1 0.9
  report.pdf:2 0.8
usage output_tokens=1
trace
  call agent=answer.pages entropy=0.5
)";

PipelineCase right() { return parse_case(kRight, "right.case"); }

// What the checker says when `from` in the file is `to`.
std::string said(const std::string& from, const std::string& to) {
  std::string text = kRight;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  const PipelineCase test = parse_case(text.replace(at, from.size(), to), "right.case");
  std::string all;
  for (const std::string& problem : problems_of(test, run_case(test))) all += problem + "\n";
  return all;
}

void expect_said(const std::string& from, const std::string& to, const std::string& words) {
  const std::string problems = said(from, to);
  EXPECT_NE(problems.find(words), std::string::npos)
      << from << " -> " << to << " gives: " << problems;
  EXPECT_TRUE(problems.empty() || problems.starts_with("right.case:")) << problems;
}

TEST(CaseCheck, FindsNothingWhereAllGoesAsWritten) {
  EXPECT_EQ(problems_of(right(), run_case(right())), std::vector<std::string>{});
}

TEST(CaseCheck, SeesOtherCalls) {
  expect_said("answer.pages page report.pdf:1-2", "answer.pages page report.pdf:2 report.pdf:1",
              "right.case:12: call 1 should be");
  expect_said("answer.pages page report.pdf:1-2", "answer.pages low report.pdf:1-2",
              "but was \"answer.pages low report.pdf:1@page report.pdf:2@page\"");
  expect_said("answer.pages page", "answer.chunks page", "call 1 should be \"answer.chunks");
  expect_said("    tokens 256\n", "    tokens 256\n  answer.pages page report.pdf:1\n",
              "call 2 was not made");
  expect_said(
      "  answer.pages page report.pdf:1-2\n    says Who audits\n    hides Salaries\n"
      "    tokens 256\n",
      "", "call 1 is one too many");
}

TEST(CaseCheck, SeesWhatACallSays) {
  expect_said("says Who audits", "says Who pays", "should say \"Who pays\"");
  expect_said("says Who audits", "says audits\n    says Who", "\"Who\" behind what");
  expect_said("hides Salaries", "hides audits", "should not say \"audits\"");
  expect_said("tokens 256", "tokens 64", "should allow 64 new tokens, not 256");
}

TEST(CaseCheck, SeesAnotherAnswer) {
  expect_said("answer Brandt & Co", "answer Brandt", "the answer should be \"Brandt\"");
  expect_said("0.60653066", "0.6", "the confidence should be 0.6");
  expect_said("report.pdf:1 whole", "report.pdf:2 whole", "the citations should be");
  expect_said("report.pdf:1 whole", "report.pdf:1 marked | The auditor", "the citations should be");
  expect_said("  report.pdf:1 whole\n", "", "the citations should be: none");
  expect_said("  report.pdf:2 0.8\nusage", "usage", "retrieved was");
  expect_said("report.pdf:2 0.8\nusage", "report.pdf:2 0.7\nusage", "retrieved was");
  expect_said("report.pdf:2 0.8\nusage", "report.pdf:2 0.8\nranked report.pdf:1\nusage",
              "ranked was: ");
}

TEST(CaseCheck, SeesOtherCosts) {
  expect_said("output_tokens=1", "output_tokens=2", "output_tokens should be 2 but is 1");
  expect_said("output_tokens=1", "malformed=1", "malformed should be 1 but is 0");
  expect_said("call agent=answer.pages entropy=0.5", "call agent=hkrag.judger",
              "right.case:25: the trace lacks this step");
  expect_said("call agent=answer.pages entropy=0.5", "never call",
              "should not have the step \"call\"");
  expect_said("usage output_tokens=1", "limit --max-calls", "the limit should say");
  expect_said("usage output_tokens=1", "warns beware", "the log should say");
  expect_said("question", "budget max-pages = 1\nquestion", "the limit should be empty");
}

TEST(CaseCheck, SeesFailures) {
  expect_said("answer.pages entropy=0.5 =>", "answer.pages error=model =>", "it failed (model)");
  expect_said("usage output_tokens=1", "fails model gone", "it should fail (model)");
  expect_said(
      "  answer.pages entropy=0.5 => {\"answer\": \"Brandt & Co\", \"answerable\": true, "
      "\"pages\": [0]}\n",
      "", "it failed (model)");
}

TEST(CaseCheck, SeesRepliesThatNobodyAskedFor) {
  expect_said("calls\n", "  answer.pages => {}\ncalls\n", "1 of the 2 replies");
}

// A pipeline that did what none may do.
TEST(CaseCheck, SeesBrokenSafety) {
  const PipelineCase test = right();
  const CaseRun good = run_case(test);
  const auto has = [&](const CaseRun& run, const std::string& words) {
    const std::vector<std::string> problems = problems_of(test, run);
    return std::ranges::any_of(problems, [&](const std::string& problem) {
      return problem.find(words) != std::string::npos;
    });
  };
  CaseRun bad = good;
  bad.asked[0].request.pages[1] = "secret.pdf:1";
  EXPECT_TRUE(has(bad, "secret.pdf:1 was shown, which is outside the pool"));
  bad = good;
  bad.answer.citations[0].page = {"secret.pdf", 1};
  EXPECT_TRUE(has(bad, "secret.pdf:1 is cited but was never shown"));
  bad.answer.citations[0].page = {"report.pdf", 9};
  EXPECT_TRUE(has(bad, "report.pdf:9 is cited, which does not exist"));
  bad = good;
  bad.answer.citations[0].quote = "The auditor is Miller.";
  bad.answer.citations[0].boxes = {{0, 0, 1, 1}};
  EXPECT_TRUE(has(bad, "does not stand there"));
  bad = good;
  bad.answer.answerable = false;
  EXPECT_TRUE(has(bad, "answerable = false"));
  bad = good;
  bad.answer.confidence = 1.5;
  EXPECT_TRUE(has(bad, "not within 0 and 1"));
  bad = good;
  for (const Json& entry : good.trace) bad.trace.push_back(entry);
  EXPECT_TRUE(has(bad, "are in the trace"));
}

}  // namespace
}  // namespace fineprint::testing
