// The records that the program reads and writes as JSON Lines: questions, answers and hits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/geometry.h"
#include "fineprint/core/page_ref.h"
#include "fineprint/core/question_picture.h"

namespace fineprint {

// A question: {"id","question","doc"?,"images"?,"answer"?,"answer_format"?,"evidence_pages"?, ...}.
// All other fields are kept in `extra_json`.
struct Question {
  // Unique within a file of questions.
  std::string id;
  std::string text;
  // Limits the pool: relative paths, file names or globs; empty means all.
  std::vector<std::string> docs;
  // The files of its pictures. A path that is not absolute is meant from the folder of the file of
  // questions; read_questions() has joined the two.
  std::vector<std::string> images;
  // These pictures, once a document worker has read them; see session::read_question_pictures.
  std::vector<QuestionPicture> pictures;
  // The gold answer; a value that is not a string is kept as JSON.
  std::optional<std::string> answer;
  std::string answer_format;  // "Str", "Int", "Float", "List", "None" or empty
  // Gold pages; absent if not annotated. PageRef::doc is empty if the line gives plain integers
  // and no doc.
  std::optional<std::vector<PageRef>> evidence;
  std::string extra_json;  // an object with the remaining fields; "{}" if there are none
};

// A page that supports an answer, with a quote if there is one.
struct Citation {
  PageRef page;
  std::string quote;
  std::vector<Box> boxes;  // one for each line of the quote
  double score = 0;        // of the quote, in the extractive pipeline; else 0
};

// What a question cost.
struct Usage {
  // Calls of the generator, repeated ones included.
  std::int64_t vlm_calls = 0;
  // Tokens of all prompts. Image tokens and cached tokens are parts of them.
  std::int64_t prompt_tokens = 0;
  std::int64_t image_tokens = 0;
  std::int64_t cached_tokens = 0;
  // Tokens that the generator wrote.
  std::int64_t output_tokens = 0;
  std::int64_t malformed = 0;
  // Wall-clock time in milliseconds.
  double ms = 0;
};

// A page of the ranking that a pipeline's search made, with its score in it.
struct RetrievedPage {
  PageRef page;
  // Comparable only within one ranking.
  double score = 0;
  // Whether the search gave the page to the pipeline to read. Pages that are not shown follow only
  // so that rankings can be measured at more pages than were read.
  bool shown = false;
};

// The failure that a record holds in place of an answer.
struct Failure {
  ErrorCode code = ErrorCode::internal;
  // The message of the Error that ended the question.
  std::string message;
};

// What the option --gate decided about a question.
struct GateDecision {
  // 0 to 1, how uncertain the generator was; absent if a limit kept it from being judged.
  std::optional<double> uncertainty;
  std::string preset;  // the preset whose answer this is
};

// The answer to one question, or its failure.
struct Answer {
  // The question's id and text, so that an answer can be read alone.
  std::string id;
  std::string question;
  std::string answer;  // kNotAnswerable if !answerable
  bool answerable = false;
  double confidence = 0;  // 0..1, the probability that this answer is right
  // 0..1, the probability that the pages hold an answer; absent if not judged
  std::optional<double> answerability;
  // Whether a trial answer was too uncertain, so that the pipeline looked again (HKRAG's
  // high-uncertainty pairs); absent if the pipeline does not judge it.
  std::optional<bool> uncertain;
  std::optional<GateDecision> gate;  // absent without --gate
  // Whether the question was answered again because the answer left out a part of it; absent
  // without
  // --reflect.
  std::optional<bool> reflected;
  // Not part of the record. True if `confidence` is derived from evidence (features of the pages,
  // the probabilities of a model); false if it is only what a reply claims.
  bool weighed = true;
  // Not part of the record. The answer that a model wrote in a reply which says that there is none.
  std::string withdrawn = {};
  std::vector<Citation> citations;       // best first
  std::vector<RetrievedPage> retrieved;  // best first
  // The preset that was run, and the generator's name.
  std::string pipeline;
  std::string generator;  // empty if none was used
  // What the question cost.
  Usage usage;
  std::string limit;  // the limit that cut the work short, in words; empty if none did
  // How the hybrid mask scored the pages ("hybrid", "cosine", ...) and why; empty if no scorer
  // masks.
  std::string mask, mask_reason;
  // What the search used because the store lacks what was asked for; empty if nothing is missing.
  std::string fallback;
  std::vector<PictureRecord> images;  // of the question, and what became of them
  std::int64_t unread_pages = 0;      // pages of the searched documents that wait for OCR
  std::string trace_json;             // a JSON array; empty if no trace was asked for
  // If set, the question failed and the fields above are not complete.
  std::optional<Failure> error;
};

// The text of an answer that abstains.
inline constexpr std::string_view kNotAnswerable = "Not answerable";

// Returns the pages that the pipeline was given to read, in the order of the ranking. Records of
// other programs and of earlier versions mark none, so all of theirs count.
std::vector<RetrievedPage> shown_pages(const Answer& answer);

// Returns whether the gold says that the documents hold no answer: by the answer format "None", or
// by the answer kNotAnswerable, because benchmarks mark such questions in either way.
bool is_unanswerable(const Question& question);

// The raw score that one scorer gave to a hit.
struct NamedScore {
  std::string scorer;
  double score = 0;
};

// One line of the output of `search`.
struct Hit {
  int rank = 0;  // counted from 1
  PageRef page;
  double score = 0;
  // The scores of the single scorers that were fused.
  std::vector<NamedScore> scores;
  // A part of the page to show, and its boxes in points.
  std::string snippet;
  std::vector<Box> boxes;
};

// Returns one JSON object on one line, without the newline. Numbers are written with enough digits
// to read back equal. The order of the keys is fixed (id, question, answer, ...).
std::string to_json_line(const Answer& answer);
std::string to_json_line(const Hit& hit);

// Parses one line. Throws Error(input) that names the missing field or the field of the wrong type.
// `custom_id` is accepted in place of `id`. An `id` that is a number is read as its text. A
// question without an id gets one (see question_id).
Question parse_question(std::string_view json_line);
Answer parse_answer(std::string_view json_line);

// Returns the id of a question that has none: 16 hexadecimal digits that depend only on the words
// and the documents, so that repeated runs agree.
std::string question_id(std::string_view text, const std::vector<std::string>& docs = {});

// Reads a file of questions; "-" is standard input. The file is JSON Lines if its first line that
// is not blank begins with a bracket; else each line is the text of a question. Blank lines are
// skipped. Throws Error(input) with the file and the line, also if an id is repeated.
std::vector<Question> read_questions(const std::string& path);
// The same for the text of a file in JSON Lines. `name` is the file's name in error messages.
std::vector<Question> parse_questions(std::string_view text, const std::string& name);

}  // namespace fineprint
