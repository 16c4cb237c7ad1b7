// Records written and read back, and the messages of those that are wrong.
#include "fineprint/core/records.h"

#include <functional>

#include <gtest/gtest.h>

#include "fineprint/core/json.h"

#include "support/temp_dir.h"

namespace fineprint {
namespace {

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::input);
    return error.what();
  }
  return "accepted";
}

std::string question_refusal(std::string_view line) {
  return refusal([&] { parse_question(line); });
}

Answer full_answer() {
  Answer answer;
  answer.id = "q1";
  answer.question = "How \"much\"?";
  answer.answer = "$34,229 million – net";
  answer.answerable = true;
  answer.confidence = 1.0 / 3;
  answer.citations = {{{"a/b.pdf", 48}, "Net sales 34,229", {{0.1f, 2, 300.25f, 4.7f}}, 0.9},
                      {{"c.pdf", 1}, "", {}, -1}};
  answer.retrieved = {{{"a/b.pdf", 48}, 12.5}, {{"c.pdf", 1}, 3}};
  answer.pipeline = "extractive";
  answer.usage = {1, 2, 3, 4, 5, 6, 7.25};
  answer.trace_json = R"([{"step":"search","ms":1.5}])";
  return answer;
}

TEST(AnswerRecord, MarksPagesThatWereShown) {
  Answer answer = full_answer();
  answer.retrieved[0].shown = true;
  const std::string line = to_json_line(answer);
  EXPECT_NE(line.find(R"("score":12.5,"shown":true},{"doc":"c.pdf","page":1,"score":3.0})"),
            std::string::npos)
      << line;
  const Answer back = parse_answer(line);
  EXPECT_TRUE(back.retrieved[0].shown);
  EXPECT_FALSE(back.retrieved[1].shown);
  ASSERT_EQ(shown_pages(back).size(), 1U);
  EXPECT_EQ(shown_pages(back)[0].page.doc, "a/b.pdf");
  EXPECT_EQ(shown_pages(full_answer()).size(), 2U);  // none is marked
}

TEST(AnswerRecord, TellsHowTheMaskScoredIfItDid) {
  EXPECT_EQ(to_json_line(full_answer()).find("\"mask"), std::string::npos);
  Answer answer = full_answer();
  answer.mask = "cosine";
  answer.mask_reason = "not trained";
  const std::string line = to_json_line(answer);
  EXPECT_NE(line.find(R"("mask":"cosine","mask_reason":"not trained")"), std::string::npos) << line;
  EXPECT_EQ(parse_answer(line).mask, "cosine");
  EXPECT_EQ(parse_answer(line).mask_reason, "not trained");
}

TEST(AnswerRecord, HasTheFieldsOfTheDesignInOrder) {
  EXPECT_EQ(to_json_line(full_answer()),
            R"({"id":"q1","question":"How \"much\"?","answer":"$34,229 million – net",)"
            R"("answerable":true,"confidence":0.3333333333333333,"citations":[)"
            R"({"doc":"a/b.pdf","page":48,"quote":"Net sales 34,229",)"
            R"("boxes":[[0.1,2.0,300.25,4.7]],"score":0.9},)"
            R"({"doc":"c.pdf","page":1,"quote":"","boxes":[],"score":-1.0}],)"
            R"("retrieved":[{"doc":"a/b.pdf","page":48,"score":12.5},)"
            R"({"doc":"c.pdf","page":1,"score":3.0}],"pipeline":"extractive","generator":"",)"
            R"("usage":{"vlm_calls":1,"prompt_tokens":2,"image_tokens":3,"cached_tokens":4,)"
            R"("output_tokens":5,"malformed":6,"ms":7.25},)"
            R"("trace":[{"step":"search","ms":1.5}]})");
}

TEST(AnswerRecord, ComesBackEqual) {
  Answer answer = full_answer();
  const std::string line = to_json_line(answer);
  const Answer back = parse_answer(line);
  EXPECT_EQ(to_json_line(back), line);
  EXPECT_EQ(back.confidence, answer.confidence);
  EXPECT_EQ(back.citations[0].boxes, answer.citations[0].boxes);
  EXPECT_EQ(back.trace_json, answer.trace_json);
  EXPECT_FALSE(back.error);
}

TEST(AnswerRecord, SaysWhatBecameOfPictures) {
  EXPECT_EQ(to_json_line(full_answer()).find("\"images"), std::string::npos);
  Answer answer = full_answer();
  PictureRecord picture{.name = "photo.jpg",
                        .sha256 = std::string(64, 'a'),
                        .bytes = 5,
                        .width = 3,
                        .height = 4,
                        .text = "P-7",
                        .found = {{{"a.pdf", 2}, {1, 2, 3, 4}, 0.5}},
                        .compared_pages = 9};
  picture.note_use("words");
  picture.note_use("words");
  picture.note("so it is");
  answer.images = {picture, {.name = "b", .sha256 = "c", .text = ""}};
  const std::string line = to_json_line(answer);
  const std::string first = R"({"name":"photo.jpg","sha256":")" + std::string(64, 'a') +
                            R"(","bytes":5,"width":3,"height":4,"text":"P-7","used":["words"],)"
                            R"("found":[{"doc":"a.pdf","page":2,"box":[1.0,2.0,3.0,4.0],)"
                            R"("score":0.5}],"compared_pages":9,"notes":["so it is"]})";
  EXPECT_NE(line.find(R"("images":[)" + first), std::string::npos) << line;
  EXPECT_EQ(to_json_line(parse_answer(line)), line);
}

TEST(AnswerRecord, SaysWhatPagesWereFoundBy) {
  Answer answer = full_answer();
  EXPECT_EQ(to_json_line(answer).find("fallback"), std::string::npos);
  answer.limit = "no time";
  answer.fallback = "late: by bm25";
  const std::string line = to_json_line(answer);
  EXPECT_NE(line.find(R"("limit":"no time","fallback":"late: by bm25","trace":)"),
            std::string::npos)
      << line;
  EXPECT_EQ(parse_answer(line).fallback, answer.fallback);
  EXPECT_EQ(line.find("unread_pages"), std::string::npos);
  answer.unread_pages = 12;
  EXPECT_NE(to_json_line(answer).find(R"("unread_pages":12)"), std::string::npos);
  EXPECT_EQ(parse_answer(to_json_line(answer)).unread_pages, 12);
}

TEST(AnswerRecord, SaysWhetherATrialWasUncertain) {
  Answer answer = full_answer();
  EXPECT_EQ(to_json_line(answer).find("\"uncertain\""), std::string::npos);
  EXPECT_FALSE(parse_answer(to_json_line(answer)).uncertain);
  for (const bool uncertain : {false, true}) {
    answer.uncertain = uncertain;
    EXPECT_EQ(parse_answer(to_json_line(answer)).uncertain, uncertain);
  }
}

TEST(AnswerRecord, SaysWhatTheGateDecided) {
  Answer answer = full_answer();
  EXPECT_EQ(to_json_line(answer).find("\"gate\""), std::string::npos);
  EXPECT_FALSE(parse_answer(to_json_line(answer)).gate);
  answer.gate = GateDecision{.uncertainty = 0.75, .preset = "hkrag"};
  const std::string line = to_json_line(answer);
  EXPECT_NE(line.find(R"("gate":{"uncertainty":0.75,"preset":"hkrag"})"), std::string::npos)
      << line;
  EXPECT_EQ(parse_answer(line).gate->uncertainty, 0.75);
  EXPECT_EQ(parse_answer(line).gate->preset, "hkrag");
  answer.gate->uncertainty.reset();
  EXPECT_NE(to_json_line(answer).find(R"("uncertainty":null)"), std::string::npos);
  EXPECT_FALSE(parse_answer(to_json_line(answer)).gate->uncertainty);
}

TEST(AnswerRecord, SaysWhetherItWasAnsweredAgain) {
  Answer answer = full_answer();
  EXPECT_EQ(to_json_line(answer).find("\"reflected\""), std::string::npos);
  EXPECT_FALSE(parse_answer(to_json_line(answer)).reflected);
  for (const bool reflected : {false, true}) {
    answer.reflected = reflected;
    EXPECT_EQ(parse_answer(to_json_line(answer)).reflected, reflected);
  }
}

TEST(AnswerRecord, AFailureIsAnErrorObject) {
  Answer answer;
  answer.id = "q2";
  answer.error = {ErrorCode::timed_out, "a.pdf, page 3: took over 60 s"};
  const std::string line = to_json_line(answer);
  EXPECT_TRUE(
      line.ends_with(R"("error":{"code":"timed_out","message":"a.pdf, page 3: took over 60 s"}})"))
      << line;
  EXPECT_EQ(line.find("trace"), std::string::npos);
  const Answer back = parse_answer(line);
  ASSERT_TRUE(back.error);
  EXPECT_EQ(back.error->code, ErrorCode::timed_out);
  EXPECT_EQ(back.error->message, answer.error->message);
}

TEST(AnswerRecord, ReadsLinesOfOtherPrograms) {
  const Answer answer = parse_answer(R"({"id":"x","answer":"42","usage":null,"model":"m"})");
  EXPECT_EQ(answer.answer, "42");
  EXPECT_TRUE(answer.citations.empty());
}

TEST(AnswerRecord, ErrorsNameTheField) {
  const auto why = [](std::string_view line) { return refusal([&] { parse_answer(line); }); };
  EXPECT_EQ(why(R"({"answer":"a"})"), "field 'id' is missing");
  EXPECT_EQ(why(R"({"id":"a"})"), "field 'answer' is missing");
  EXPECT_EQ(why(R"({"id":"a","answer":7})"), "field 'answer' must be a string, not number");
  EXPECT_EQ(why(R"({"id":"a","answer":"","answerable":"yes"})"),
            "field 'answerable' must be true or false");
  EXPECT_EQ(why(R"({"id":"a","answer":"","citations":[{"doc":"a","page":0}]})"),
            "field 'page' holds page 0; pages count from 1");
  EXPECT_EQ(why(R"({"id":"a","answer":"","citations":[3]})"),
            "field 'citations' must hold objects with doc and page");
  EXPECT_EQ(why(R"({"id":"a","answer":"","citations":[{"doc":"a","page":1,"boxes":[[1,2,3]]}]})"),
            "field 'boxes' must hold lists of four numbers");
  EXPECT_EQ(
      why(R"({"id":"a","answer":"","citations":[{"doc":"a","page":1,"boxes":[[1,2,3,-1e39]]}]})"),
      "field 'boxes' holds a number that is too large");
  EXPECT_EQ(why(R"({"id":"a","answer":"","usage":{"vlm_calls":-1}})"),
            "field 'vlm_calls' must be an integer of at least 0");
  EXPECT_EQ(why(R"({"id":"a","answer":"","usage":{"vlm_calls":18446744073709551615}})"),
            "field 'vlm_calls' must be an integer of at least 0");
  EXPECT_EQ(why("[1]"), "expected a JSON object, not array");
}

TEST(HitRecord, HasTheFieldsOfTheDesignInOrder) {
  const Hit hit{1, {"a.pdf", 3}, 0.5, {{"bm25", 12.25}, {"text", 0.7}}, "Net", {{1, 2, 3, 4}}};
  EXPECT_EQ(to_json_line(hit),
            R"({"rank":1,"doc":"a.pdf","page":3,"score":0.5,"scores":{"bm25":12.25,"text":0.7},)"
            R"("snippet":"Net","boxes":[[1.0,2.0,3.0,4.0]]})");
}

// The server's requests have `docs`; a question that names its documents so is limited to them,
// too.
TEST(QuestionRecord, MayCallItsDocumentsAsTheServerDoes) {
  EXPECT_EQ(parse_question(R"({"question":"Who?","docs":["a.pdf","b.pdf"]})").docs,
            (std::vector<std::string>{"a.pdf", "b.pdf"}));
  EXPECT_THROW(parse_question(R"({"question":"Who?","doc":"a.pdf","docs":["b.pdf"]})"), Error);
}

TEST(QuestionRecord, ReadsAllFieldsAndPassesTheRest) {
  const Question question = parse_question(
      R"({"id":"q","doc":"a.pdf","question":"Who?","answer":["x",1],"answer_format":"List",)"
      R"("evidence_pages":[3,{"doc":"b.pdf","page":4}],"company":"3M","n":{"k":[1]}})");
  EXPECT_EQ(question.id, "q");
  EXPECT_EQ(question.text, "Who?");
  EXPECT_EQ(question.docs, std::vector<std::string>{"a.pdf"});
  EXPECT_EQ(question.answer, R"(["x",1])");
  EXPECT_EQ(question.answer_format, "List");
  const std::vector<PageRef> pages = {{"a.pdf", 3}, {"b.pdf", 4}};
  EXPECT_EQ(question.evidence, pages);
  EXPECT_EQ(question.extra_json, R"({"company":"3M","n":{"k":[1]}})");
}

TEST(QuestionRecord, FewFieldsAreNeeded) {
  const Question question = parse_question(R"({"custom_id":7,"question":"","answer":null})");
  EXPECT_EQ(question.id, "7");
  EXPECT_TRUE(question.docs.empty());
  EXPECT_FALSE(question.answer);
  EXPECT_FALSE(question.evidence);
  EXPECT_EQ(question.extra_json, "{}");
}

TEST(QuestionRecord, ItsPicturesAreFilesNextToTheFileOfQuestions) {
  const Question question =
      parse_question(R"({"question":"Which part?","images":["a.png","/b/c.jpg"]})");
  EXPECT_EQ(question.images, (std::vector<std::string>{"a.png", "/b/c.jpg"}));
  EXPECT_EQ(question.extra_json, "{}");
  EXPECT_NE(question.id, parse_question(R"({"question":"Which part?"})").id);
  EXPECT_EQ(question_refusal(R"({"question":"?","images":[{"url":"x"}]})"),
            "field 'images' must be a string, not object");
  const testing::TempDir folder;
  const std::string path =
      folder.write("q.jsonl", R"({"question":"Which part?","images":["a.png","/b/c.jpg"]})");
  EXPECT_EQ(read_questions(path).at(0).images,
            (std::vector<std::string>{folder.file("a.png"), "/b/c.jpg"}));
}

TEST(QuestionRecord, EvidenceWithoutOneDocument) {
  EXPECT_EQ(parse_question(R"({"id":"q","question":"?","evidence_pages":[2]})").evidence,
            (std::vector<PageRef>{{"", 2}}));
  EXPECT_EQ(
      parse_question(R"({"id":"q","question":"?","doc":["a","b"],"evidence_pages":[]})").evidence,
      std::vector<PageRef>{});
  EXPECT_EQ(question_refusal(R"({"id":"q","question":"?","doc":["a","b"],"evidence_pages":[2]})"),
            "field 'evidence_pages' must hold objects with doc and page if 'doc' lists several");
}

TEST(QuestionRecord, ErrorsNameTheField) {
  EXPECT_EQ(question_refusal(R"({"id":"","question":"?"})"), "field 'id' must not be empty");
  EXPECT_EQ(question_refusal(R"({"id":true,"question":"?"})"),
            "field 'id' must be a string, not boolean");
  EXPECT_EQ(question_refusal(R"({"id":"q"})"), "field 'question' is missing");
  EXPECT_EQ(question_refusal(R"({"id":"q","question":"?","doc":3})"),
            "field 'doc' must be a string or a list of strings");
  EXPECT_EQ(question_refusal(R"({"id":"q","question":"?","evidence_pages":"[3]"})"),
            "field 'evidence_pages' must be a list, not string");
  EXPECT_EQ(question_refusal(R"({"id":"q","question":"?","evidence_pages":[1.5]})"),
            "field 'evidence_pages' must hold integers, counted from 1");
  EXPECT_EQ(question_refusal(R"({"id":"q","question":"?","evidence_pages":[0]})"),
            "field 'evidence_pages' holds page 0; pages count from 1");
  EXPECT_EQ(question_refusal(R"({"id":"q","question":"?","evidence_pages":[-1]})"),
            "field 'evidence_pages' must be an integer of at least 0");
}

TEST(QuestionFile, SkipsBlankLinesAndReadsTheLastWithoutNewline) {
  const testing::TempDir folder;
  const std::string path = folder.write("q.jsonl",
                                        "{\"id\":\"1\",\"question\":\"a\"}\r\n\n  \t\n"
                                        "{\"id\":\"2\",\"question\":\"b\"}");
  const std::vector<Question> questions = read_questions(path);
  ASSERT_EQ(questions.size(), 2u);
  EXPECT_EQ(questions[1].text, "b");
}

TEST(QuestionRecord, WithoutAnIdHasOneOfItsWordsAndDocuments) {
  const auto id = [](const char* line) { return parse_question(line).id; };
  EXPECT_EQ(id(R"({"question":"Who?"})"), question_id("Who?"));
  EXPECT_EQ(id(R"({"question":"Who?","id":null})"), question_id("Who?"));
  EXPECT_EQ(question_id("Who?").size(), 16u);
  EXPECT_NE(question_id("Who?"), question_id("Who? "));
  EXPECT_NE(id(R"({"question":"Who?","doc":"a"})"), id(R"({"question":"Who?"})"));
  EXPECT_NE(id(R"({"question":"Who?","doc":"a"})"), id(R"({"question":"Who?","doc":"b"})"));
}

TEST(QuestionRecord, IsUnanswerableByItsFormatOrItsAnswer) {
  const auto says = [](const char* line) { return is_unanswerable(parse_question(line)); };
  EXPECT_TRUE(says(R"({"id":"q","question":"?","answer_format":"None"})"));
  EXPECT_TRUE(says(R"({"id":"q","question":"?","answer":"Not answerable"})"));
  EXPECT_FALSE(says(R"({"id":"q","question":"?","answer":"5","answer_format":"Int"})"));
  EXPECT_FALSE(says(R"({"id":"q","question":"?"})"));
}

TEST(QuestionFile, MayHoldAQuestionALine) {
  const testing::TempDir folder;
  const std::vector<Question> questions =
      read_questions(folder.write("q.txt", "\xEF\xBB\xBF  Who?\t\r\n\n\"What\" is it? {1}\n"));
  ASSERT_EQ(questions.size(), 2u);
  EXPECT_EQ(questions[0].text, "Who?");
  EXPECT_EQ(questions[0].id, question_id("Who?"));
  EXPECT_EQ(questions[0].extra_json, "{}");
  EXPECT_EQ(questions[1].text, "\"What\" is it? {1}");
}

TEST(QuestionFile, OfRecordsHoldsRecordsOnly) {
  const testing::TempDir folder;
  for (const char* text : {"{\"question\":\"a\"}\nWho?\n", "[\n\"Who?\"]\n"}) {
    const std::string file = folder.write("q", text);
    EXPECT_NE(refusal([&] { read_questions(file); }).find("not valid"), std::string::npos) << text;
  }
  const std::string bytes = folder.write("bytes", "Who?\n\xFF\n");
  EXPECT_TRUE(refusal([&] { read_questions(bytes); }).starts_with(bytes + ":2: "));
}

TEST(QuestionFile, ErrorsNameFileAndLine) {
  const testing::TempDir folder;
  const std::string one = "{\"id\":\"1\",\"question\":\"a\"}\n";
  const std::string twice = folder.write("twice.jsonl", one + "\n" + one);
  EXPECT_EQ(refusal([&] { read_questions(twice); }),
            twice + ":3: id '1' was used already on line 1");
  const std::string broken = folder.write("broken.jsonl", one + "{\"id\":");
  EXPECT_TRUE(
      refusal([&] { read_questions(broken); }).starts_with(broken + ":2: record: not valid"));
}

}  // namespace
}  // namespace fineprint
