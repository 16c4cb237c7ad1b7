// A conversation over one store: its questions, answers, and what can be asked about them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "fineprint/answering/answering.h"
#include "fineprint/dialogue/follow_up.h"
#include "fineprint/session/context.h"
#include "fineprint/session/question_picture.h"
#include "fineprint/settings/settings.h"

namespace fineprint::cli {

// Keeps the turns of a conversation and prints them.
class Conversation {
 public:
  // `settings` and `session` must outlive the conversation; `docs` limits every question. Throws
  // what Answering throws for settings that would fail every question.
  Conversation(const settings::Settings& settings, const session::Session& session,
               std::vector<std::string> docs);

  // Understands, answers and prints a question. Throws what Answering::answer throws; the
  // conversation then stays as it was.
  void ask(const std::string& asked);
  // Draws the page of a citation of the last answer, from 1, with its quote marked, prints the
  // picture's path, and opens it if a person sits at a terminal. Throws Error(usage) if there is no
  // such citation.
  void open_page(const std::string& number) const;
  // Prints the documents of the store.
  void print_documents() const;
  // Prints the steps of the last answer.
  void print_steps() const;
  // Answers the next questions by another preset. Throws Error(usage) if there is none, or if it
  // cannot answer with these settings; the preset then stays.
  void choose_pipeline(const std::string& name);
  // Writes the conversation with its pages as one HTML file.
  void save(const std::string& file) const;
  // Adds a picture to the next question. Throws what QuestionPictureReader::read throws, and
  // Error(usage) for a picture that was added already, or one too many.
  void add_picture(const std::string& file);
  // Forgets the turns, so that the next question follows none, and its pictures.
  void forget();

 private:
  struct Answered {
    std::string asked;
    Answer answer;
    std::vector<std::string> steps;
  };
  const Answered& last() const;
  void print(const Answered& answered) const;

  const settings::Settings& settings_;
  const session::Session& session_;
  std::vector<std::string> docs_;
  std::unique_ptr<const answering::Answering> answering_;
  std::vector<Answered> answered_;
  std::unique_ptr<session::QuestionPictureReader> reader_;  // made for the first picture
  std::vector<QuestionPicture> pictures_;                   // of the next question
  std::vector<dialogue::Turn> turns_;                       // since the last forget()
};

}  // namespace fineprint::cli
