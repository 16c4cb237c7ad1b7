// Reads the pictures that --image and files of questions name.
#include "cli/question_pictures.h"

#include "fineprint/documents/reading_library.h"

#include "cli/wiring.h"

namespace fineprint::cli {

std::unique_ptr<session::QuestionPictureReader> question_picture_reader(const Settings& settings) {
  documents::check_reading_library();
  return std::make_unique<session::QuestionPictureReader>(document_worker_options(settings, ""),
                                                          read_options(settings));
}

void take_pictures(const Settings& settings, Question* question) {
  if (question->images.empty()) return;
  const auto reader = question_picture_reader(settings);
  question->pictures = session::read_question_pictures(*reader, question->images);
  if (question->id.empty()) return;  // a query of the command line
  std::vector<std::string> parts = {question->id};
  for (const QuestionPicture& picture : question->pictures) parts.push_back(picture.record.sha256);
  question->id = question_id(question->text, parts);
}

std::function<Answer(const Question&)> answer_with_pictures(const Settings& settings,
                                                            const answering::Answering& answering,
                                                            const session::Session& session) {
  const std::shared_ptr<session::QuestionPictureReader> reader = question_picture_reader(settings);
  return [&answering, &session, reader](const Question& question) {
    if (question.images.empty()) return answering.answer(session, question);
    Question seen = question;
    seen.pictures = session::read_question_pictures(*reader, question.images);
    return answering.answer(session, seen);
  };
}

std::string with_words_of_pictures(const Question& question) {
  std::string words = question.text;
  for (const QuestionPicture& picture : question.pictures) words += " " + picture.record.text;
  return words;
}

}  // namespace fineprint::cli
