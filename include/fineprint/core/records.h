// The records that go in and out of the program as JSON Lines: questions, answers, hits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/geometry.h"

namespace fineprint {

// A page of a document, as a person names it.
struct PageRef {
  std::string doc;  // path relative to the indexed folder, '/' between parts
  int page = 0;     // from 1
  auto operator<=>(const PageRef&) const = default;
};

// {"id","question","doc"?,"answer"?,"answer_format"?,"evidence_pages"?, ...}. Other fields pass
// through in `extra_json`.
struct Question {
  std::string id;
  std::string text;
  std::vector<std::string> docs;  // limits the pool: relative path, file name or glob; empty = all
  std::optional<std::string> answer;  // the gold answer; a non-string is kept as its JSON
  std::string answer_format;          // "Str", "Int", "Float", "List", "None" or empty
  std::optional<std::vector<PageRef>> evidence;  // absent = not annotated; PageRef::doc may be ""
                                                 // when the line gives plain integers and no doc
  std::string extra_json;  // an object with the remaining fields; "{}" if none
};

// A quote that supports an answer.
struct Citation {
  PageRef page;
  std::string quote;
  std::vector<Box> boxes;  // one a line of the quote
  double score = 0;
};

// What a question cost.
struct Usage {
  std::int64_t vlm_calls = 0;
  std::int64_t prompt_tokens = 0;
  std::int64_t image_tokens = 0;
  std::int64_t cached_tokens = 0;
  std::int64_t output_tokens = 0;
  std::int64_t malformed = 0;
  double ms = 0;
};

struct RetrievedPage {
  PageRef page;
  double score = 0;
};

// A failure that took the place of an answer.
struct Failure {
  ErrorCode code = ErrorCode::internal;
  std::string message;
};

struct Answer {
  std::string id;
  std::string question;
  std::string answer;  // "Not answerable" when !answerable
  bool answerable = false;
  double confidence = 0;                // 0..1, that this answer is right
  std::optional<double> answerability;  // 0..1, that the documents hold one; absent: not judged
  // No part of the record: whether `confidence` comes of what was weighed (signs on the pages, a
  // model's probabilities), and not of a reply's word alone.
  bool weighed = true;
  std::vector<Citation> citations;       // best first
  std::vector<RetrievedPage> retrieved;  // best first
  std::string pipeline;
  std::string generator;  // empty when none was used
  Usage usage;
  std::string limit;  // the limit that cut the work short, in words; empty: none did
  // What pages were found by in place of what the store lacks; empty: nothing.
  std::string fallback;
  std::int64_t unread_pages = 0;  // of the documents asked: they wait for OCR
  std::string trace_json;         // a JSON array, or empty when no trace was asked for
  std::optional<Failure> error;
};

inline constexpr std::string_view kNotAnswerable = "Not answerable";

// The share of a hit's score that one scorer gave (raw score of that scorer).
struct NamedScore {
  std::string scorer;
  double score = 0;
};

// One line of `search`.
struct Hit {
  int rank = 0;  // from 1
  PageRef page;
  double score = 0;
  std::vector<NamedScore> scores;
  std::string snippet;
  std::vector<Box> boxes;
};

// One JSON object on one line, without the newline. Numbers print with enough digits to come back
// equal; keys are in the order of design (id, question, answer, ...).
std::string to_json_line(const Answer& answer);
std::string to_json_line(const Hit& hit);

// Parses one line. Throws Error(input) naming the field that is missing or of the wrong type.
// `custom_id` is accepted for `id`; an `id` that is a number is read as its text; without one it is
// made of the question and its documents (question_id).
Question parse_question(std::string_view json_line);
Answer parse_answer(std::string_view json_line);

// The id of a question that came without one: 16 digits, the same for the same words and documents.
std::string question_id(std::string_view text, const std::vector<std::string>& docs = {});

// Reads a file of questions, "-" being standard input: JSON Lines, or, where the first line that is
// not blank begins with no bracket, each line the words of a question; blank lines are skipped.
// Throws Error(input) naming file and line; a repeated id is an error.
std::vector<Question> read_questions(const std::string& path);
// The same of such a file's text in JSON Lines; `name` is what messages call it.
std::vector<Question> parse_questions(std::string_view text, const std::string& name);

}  // namespace fineprint
