// The pictures of questions on the command line.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fineprint/answering/answering.h"
#include "fineprint/core/records.h"
#include "fineprint/session/context.h"
#include "fineprint/session/question_picture.h"
#include "fineprint/settings/settings.h"

namespace fineprint::cli {

// Returns a reader of pictures that reads as the settings say documents are read.
std::unique_ptr<session::QuestionPictureReader> question_picture_reader(
    const settings::Settings& settings);

// Reads the pictures of `question.images` into the question, whose id then depends on them. Does
// nothing, and starts no worker, if there are none. Throws what read_question_pictures() throws.
void take_pictures(const settings::Settings& settings, Question* question);

// Answers questions of a file, whose pictures are read one after the other. `settings`, `answering`
// and `session` must outlive the function. A picture that cannot be read fails its question.
std::function<Answer(const Question&)> answer_with_pictures(const settings::Settings& settings,
                                                            const answering::Answering& answering,
                                                            const session::Session& session);

// Returns the question with the words of its pictures, by which pages are chosen for OCR.
std::string with_words_of_pictures(const Question& question);

}  // namespace fineprint::cli
