// Tests of reading transcript tests: what is written is what is read, and mistakes are named.
#include "unit/pipelines/case_file.h"

#include <gtest/gtest.h>

namespace fineprint::testing {
namespace {

constexpr const char* kWhole = R"(# A comment.
pipeline hkrag
question What was net revenue?
docs report.pdf
gold report.pdf:2 report.pdf:4-5
set k = 2
set decoupler-crops=0
budget max-calls = 9
file h.txt
  0.5

pages
  report.pdf:1 0.9 0.2 | One.
    | Two.
    |
    | Three.   # no comment
  report.pdf:2-3 - |
tells image_tokens=7
script
  hkrag.pruner report.pdf:1 entropy=1,2 logprobs=-1 => {"a":
    1}
  hkrag.judger times=2 error=model => gone
calls
  hkrag.pruner page report.pdf:1 report.pdf:1@300x100
    says One.
    hides Two.
    tokens 64
  hkrag.decoupler_separate times=2
answer 12.5 million
confidence 0.5
citations
  report.pdf:1 marked | One.
  report.pdf:2 whole
retrieved
  report.pdf:1 0.9
usage malformed=2
trace
  call agent=hkrag.pruner attempt=1
  never budget
limit --max-calls
warns log-probabilities
)";

TEST(CaseFile, ReadsWhatStoreAndQuestionAre) {
  const PipelineCase test = parse_case(kWhole, "whole.case");
  EXPECT_EQ(test.pipeline, "hkrag");
  EXPECT_EQ(test.question.text, "What was net revenue?");
  EXPECT_EQ(test.question.docs, (std::vector<std::string>{"report.pdf"}));
  const std::vector<PageRef> gold{{"report.pdf", 2}, {"report.pdf", 4}, {"report.pdf", 5}};
  EXPECT_EQ(test.question.evidence, gold);
  EXPECT_EQ(test.settings,
            (std::map<std::string, std::string>{{"k", "2"}, {"decoupler-crops", "0"}}));
  EXPECT_EQ(test.limits.max_calls, 9);
  EXPECT_EQ(test.files.at("h.txt"), "0.5\n");
  EXPECT_EQ(test.tells.at("image_tokens"), 7);
  ASSERT_EQ(test.pages.size(), 3U);
  EXPECT_EQ(test.pages[0].scores, (std::vector<double>{0.9, 0.2}));
  EXPECT_EQ(test.pages[0].lines,
            (std::vector<std::string>{"One.", "Two.", "", "Three.   # no comment"}));
  EXPECT_EQ(test.pages[2].ref, (PageRef{"report.pdf", 3}));
  EXPECT_TRUE(test.pages[2].scores.empty());
  EXPECT_TRUE(test.pages[2].lines.empty());
}

TEST(CaseFile, ReadsMapsAndLabels) {
  const PipelineCase test = parse_case(R"(pipeline dmap
question What?
labels report.pdf i A-1
map report.pdf
  section 1 1-3 | The year
  section 1.1 2 | Staff
  page 2 | Staff by port.
  element 2 table 20 30 200 90.5 | Table 1 | Fees by year
  made 2
pages
calls
answer x
)",
                                       "maps.case");
  EXPECT_EQ(test.labels.at("report.pdf"), (std::vector<std::string>{"i", "A-1"}));
  ASSERT_EQ(test.maps.size(), 1U);
  EXPECT_EQ(test.maps[0].made, 2);
  const docmap::DocumentMap& map = test.maps[0].map;
  EXPECT_EQ(map.doc, "report.pdf");
  EXPECT_EQ(map.sections, (std::vector<docmap::Section>{{"1", "The year", 1, {1, 2, 3}, "", false},
                                                        {"1.1", "Staff", 2, {2}, "1", false}}));
  EXPECT_EQ(map.pages, (std::vector<docmap::MappedPage>{{2, "Staff by port.", false, {}}}));
  EXPECT_EQ(map.elements, (std::vector<docmap::MappedElement>{{"p2-table",
                                                               2,
                                                               docmap::MappedKind::table,
                                                               "Table 1",
                                                               "Fees by year",
                                                               "",
                                                               {20, 30, 200, 90.5F}}}));
}

TEST(CaseFile, ReadsScoresOfElements) {
  const PipelineCase test = parse_case(R"(pipeline dmap
question What?
sets late late-elements text-elements
map report.pdf
  element 2 chart 20 30 40 50 0.25 -1 | Chart 1 | Fees
  element 2 figure 20 30 40 50 0.5 | | A drawing
  element 2 figure 20 30 40 50 | | Another
pages
calls
answer x
)",
                                       "scores.case");
  using Scores = std::vector<std::vector<double>>;
  EXPECT_EQ(test.maps[0].scores, (Scores{{0.25, -1}, {0.5, 0.5}, {}}));
  EXPECT_EQ(test.maps[0].map.elements[0].name, "Chart 1");
  EXPECT_EQ(test.sets.back(), "text-elements");
}

TEST(CaseFile, ReadsAGraph) {
  const PipelineCase test = parse_case(
      "pipeline hkrag\nquestion Who?\npages\n  a.pdf:1-3 1 | x\ngraph links=0 threshold=0.4\n"
      "  a.pdf:1 a.pdf:2-3\nscript\ncalls\nanswer x\n",
      "graph.case");
  ASSERT_TRUE(test.graph);
  EXPECT_EQ(test.graph->links, 0);
  EXPECT_EQ(test.graph->threshold, 0.4);
  ASSERT_EQ(test.graph->linked.size(), 1U);
  EXPECT_EQ(test.graph->linked[0].first, (PageRef{"a.pdf", 1}));
  EXPECT_EQ(test.graph->linked[0].second, (std::vector<PageRef>{{"a.pdf", 2}, {"a.pdf", 3}}));
  EXPECT_FALSE(parse_case(kWhole, "whole.case").graph);
}

TEST(CaseFile, ReadsRepliesAndCalls) {
  const PipelineCase test = parse_case(kWhole, "whole.case");
  ASSERT_EQ(test.script.size(), 3U);
  EXPECT_EQ(test.script[0].text, "{\"a\":\n1}");
  EXPECT_EQ(test.script[0].pages, (std::vector<std::string>{"report.pdf:1"}));
  EXPECT_EQ(test.script[0].entropies, (std::vector<double>{1, 2}));
  EXPECT_EQ(test.script[0].log_probabilities, (std::vector<double>{-1}));
  EXPECT_EQ(test.script[2].error, ErrorCode::model);
  ASSERT_EQ(test.calls.size(), 3U);
  EXPECT_EQ(test.calls[0].tier, "page");
  EXPECT_EQ(test.calls[0].pages,
            (std::vector<std::string>{"report.pdf:1", "report.pdf:1@300x100"}));
  EXPECT_EQ(test.calls[0].says, (std::vector<std::string>{"One."}));
  EXPECT_EQ(test.calls[0].hides, (std::vector<std::string>{"Two."}));
  EXPECT_EQ(test.calls[0].tokens, 64);
  EXPECT_EQ(test.calls[2].agent, "hkrag.decoupler_separate");
}

TEST(CaseFile, ReadsWhatMustComeOut) {
  const PipelineCase test = parse_case(kWhole, "whole.case");
  EXPECT_EQ(test.answer, "12.5 million");
  EXPECT_EQ(test.confidence, 0.5);
  ASSERT_EQ(test.citations->size(), 2U);
  EXPECT_EQ(test.citations->at(0).mark, CaseMark::marked);
  EXPECT_EQ(test.citations->at(0).quote, "One.");
  EXPECT_EQ(test.citations->at(1).mark, CaseMark::whole);
  EXPECT_EQ(test.retrieved->at(0).second, 0.9);
  EXPECT_EQ(test.usage.at("malformed"), 2);
  EXPECT_EQ(test.trace.at(0).fields.at("agent"), "hkrag.pruner");
  EXPECT_EQ(test.never, (std::vector<std::string>{"budget"}));
  EXPECT_EQ(test.limit, "--max-calls");
  EXPECT_EQ(test.warns, "log-probabilities");
}

TEST(CaseFile, ReadsWhatTheStoreLacksAndWhatIsAskedAtOnce) {
  const PipelineCase usual = parse_case(kWhole, "whole.case");
  EXPECT_EQ(usual.sets, (std::vector<std::string>{"page", "late", "text"}));
  EXPECT_FALSE(usual.strict);
  EXPECT_FALSE(usual.calls[1].at_once);
  const PipelineCase test = parse_case(
      "pipeline hkrag\nquestion Who?\nsets late-text\nstrict yes\npages\n  a.pdf:1 1 | x\n"
      "calls\n  hkrag.judger\n  with hkrag.pruner page a.pdf:1\nanswer x\nfallback by bm25\n",
      "at_once.case");
  EXPECT_EQ(test.sets, (std::vector<std::string>{"late-text"}));
  EXPECT_TRUE(test.strict);
  EXPECT_EQ(test.fallback, "by bm25");
  ASSERT_EQ(test.calls.size(), 2U);
  EXPECT_FALSE(test.calls[0].at_once);
  EXPECT_TRUE(test.calls[1].at_once);
  EXPECT_EQ(test.calls[1].agent, "hkrag.pruner");
  EXPECT_EQ(test.calls[1].tier, "page");
}

constexpr const char* kHead = "pipeline hkrag\nquestion Who?\n";

// `lines` stand from line 3 on; the message must begin with "wrong.case:LINE: " and hold `words`.
struct Mistake {
  const char* name;
  const char* lines;
  int line;
  const char* words;
};

class Mistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, AreNamedWithTheirPlace) {
  const Mistake& mistake = GetParam();
  try {
    parse_case(std::string(kHead) + mistake.lines, "wrong.case");
    FAIL() << "it was read";
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_EQ(error.code(), ErrorCode::input);
    EXPECT_TRUE(message.starts_with("wrong.case:" + std::to_string(mistake.line) + ": "))
        << message;
    EXPECT_NE(message.find(mistake.words), std::string::npos) << message;
  }
}

INSTANTIATE_TEST_SUITE_P(
    CaseFile, Mistakes,
    ::testing::Values(
        Mistake{"KeyMisspelt", "anwser 12\n", 3, "no key \"anwser\""},
        Mistake{"SetUnknown", "sets page ltae\n", 3, "no set \"ltae\""},
        Mistake{"SetOfElementsUnknown", "sets page ltae-elements\n", 3, "no set \"ltae-elements\""},
        Mistake{"ElementScoreBehindNone",
                "map a.pdf\n  element 1 table 0 0 9 9 | |\n  element 1 table 0 0 9 9 0.5 | |\n", 5,
                "last ones of their map"},
        Mistake{"ElementScoreTooHigh", "map a.pdf\n  element 1 table 0 0 9 9 1.5 | |\n", 4,
                "a score is a cosine"},
        Mistake{"StrictIsYes", "strict no\n", 3, "strict yes"},
        Mistake{"KeyTwice", "answer 1\nanswer 2\n", 4, "second time"},
        Mistake{"KeyMissing", "pages\ncalls\n", 1, "\"answer\" is missing"},
        Mistake{"NothingUnderIt", "answer 1\n  more\n", 4, "nothing can stand under"},
        Mistake{"Tab", "pages\n\treport.pdf:1 1 | x\n", 4, "tab"},
        Mistake{"TooDeep", "pages\n    report.pdf:1 1 | x\n", 4, "two blanks"},
        Mistake{"SettingTwice", "set k = 2\nset k = 3\n", 4, "second time"},
        Mistake{"NoSetting", "set iteration = 2\n", 3, "no setting \"iteration\""},
        Mistake{"NoChoice", "set drop-empty-pages = maybe\n", 3, "on|off"},
        Mistake{"NoLimit", "budget max-call = 2\n", 3, "no limit \"max-call\""},
        Mistake{"NoPageLine", "pages\n  report.pdf:1 0.9\n", 4, "a page reads"},
        Mistake{"NoScore", "pages\n  report.pdf:1 high | x\n", 4, "\"high\""},
        Mistake{"ScoreOutOfRange", "pages\n  report.pdf:1 1.5 | x\n", 4, "cosine"},
        Mistake{"PageLeftOut", "pages\n  a.pdf:1 1 | x\n  a.pdf:3 1 | x\n", 5, "none left out"},
        Mistake{"DocumentsMixed", "pages\n  a.pdf:1 1 | x\n  b.pdf:1 1 | x\n  a.pdf:1 1 | x\n", 6,
                "stand together"},
        Mistake{"NoLineOfAMap", "map a.pdf\n  chapter 1 1-2 | x\n", 4, "a line of a map reads"},
        Mistake{"NoKindOfElement", "map a.pdf\n  element 1 photo 0 0 9 9 | x\n", 4, "\"photo\""},
        Mistake{"NoPageOfAMap", "map a.pdf\n  page one | x\n", 4, "\"one\""},
        Mistake{"GraphWord", "pages\n  a.pdf:1 1 | x\ngraph knn=5\n", 5, "no \"knn\""},
        Mistake{"GraphPage", "pages\n  a.pdf:1 1 | x\ngraph\n  a.pdf:1 a.pdf:2\n", 6, "name it"},
        Mistake{"NoReply", "script\n  hkrag.pruner {}\n", 4, "a reply reads"},
        Mistake{"ReplyOption", "script\n  hkrag.pruner entropi=1 => {}\n", 4, "entropi"},
        Mistake{"ErrorName", "script\n  hkrag.pruner error=oops => x\n", 4, "no error \"oops\""},
        Mistake{"NoTier", "calls\n  hkrag.pruner large report.pdf:1\n", 4, "no tier \"large\""},
        Mistake{"TierWithoutPages", "calls\n  hkrag.pruner page\n", 4, "a call reads"},
        Mistake{"CallDetail", "calls\n  hkrag.judger\n    say x\n", 5, "a call has no \"say\""},
        Mistake{"CitationMark", "citations\n  a.pdf:1 boxed | x\n", 4, "marked, unmarked or whole"},
        Mistake{"CitationQuote", "citations\n  a.pdf:1 marked\n", 4, "behind |"},
        Mistake{"UsageName", "usage calls=3\n", 3, "\"calls\""},
        Mistake{"TraceField", "trace\n  call agent\n", 4, "NAME = VALUE"}),
    [](const auto& test) { return test.param.name; });

TEST(CaseFile, AnUnknownPipelineIsNamed) {
  try {
    parse_case("question Who?\npipeline hkrak\n", "wrong.case");
    FAIL() << "it was read";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), "wrong.case:2: there is no pipeline \"hkrak\"");
  }
}

}  // namespace
}  // namespace fineprint::testing
