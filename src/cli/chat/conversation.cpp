// Answers the questions of a conversation, and shows pages, steps and documents.
#include "cli/chat/conversation.h"

#include <charconv>
#include <mutex>
#include <utility>

#include <unistd.h>

#include "fineprint/answering/presets.h"
#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/core/records.h"
#include "fineprint/core/shortened.h"
#include "fineprint/image/codec.h"
#include "fineprint/report/marks.h"
#include "fineprint/report/report.h"

#include "cli/answer_text.h"
#include "cli/chat/opened_file.h"
#include "cli/output.h"
#include "cli/question_pictures.h"
#include "cli/report_file.h"

namespace fineprint::cli {
namespace {

constexpr std::size_t kMostDocuments = 50;  // that are listed
constexpr double kShownDpi = 144;

constexpr std::size_t kMostOfFields = 300;  // bytes of a step without a line for people

// Keeps the lines of steps; of steps without one, the name and the fields.
class StepLines : public EventListener {
 public:
  bool wants_lines() const override { return true; }
  bool wants_fields() const override { return true; }
  void take(const Event& event) override {
    if (event.kind != Event::Kind::step || (event.line.empty() && event.step.empty())) return;
    const std::lock_guard guard(mutex_);
    std::string line = event.line;
    if (line.empty()) line = format("{} {}", event.step, shortened(event.fields, kMostOfFields));
    if (event.ms >= 1) line += format(" ({:.0f} ms)", event.ms);
    lines_.push_back(std::move(line));
  }
  std::vector<std::string> lines() {
    const std::lock_guard guard(mutex_);
    return lines_;
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> lines_;
};

void print_turn_record(const Answer& answer, const std::string& asked) {
  Json record = parse_json(to_json_line(answer), "the answer");
  if (asked != answer.question) record["asked"] = asked;
  print_line(dump_json(record));
}

}  // namespace

Conversation::Conversation(const settings::Settings& settings, const session::Session& session,
                           std::vector<std::string> docs)
    : settings_(settings), session_(session), docs_(std::move(docs)) {
  answering_ = std::make_unique<const answering::Answering>(with_trace(settings));
  answering_->open(session);
}

void Conversation::ask(const std::string& asked) {
  StepLines steps;
  const dialogue::Understood understood =
      answering_->understand(session_, asked, turns_, StopToken::of_process(), &steps);
  Question question;
  question.text = understood.question;
  question.docs = understood.docs.empty() ? docs_ : understood.docs;
  question.pictures = pictures_;
  question.id = question_id(question.text, {format("{}", answered_.size() + 1)});
  Answered answered{.asked = asked,
                    .answer = answering_->answer(session_, question, {}, &steps),
                    .steps = steps.lines()};
  if (understood.changed)
    answered.steps.insert(answered.steps.begin(), "understood: " + question.text);
  print(answered);
  turns_.push_back(dialogue::turn_of(answered.answer));
  answered_.push_back(std::move(answered));
  pictures_.clear();
}

void Conversation::print(const Answered& answered) const {
  Answer shown = answered.answer;
  if (!settings_.flag("trace")) shown.trace_json.clear();
  if (settings_.flag("json")) {
    print_turn_record(shown, answered.asked);
    return;
  }
  if (shown.question != answered.asked) print_line("understood: " + shown.question);
  print_answer(shown);
  note_unread_pages(shown);
}

const Conversation::Answered& Conversation::last() const {
  if (answered_.empty())
    throw Error(ErrorCode::usage, "there is no answer yet; ask a question first");
  return answered_.back();
}

void Conversation::open_page(const std::string& number) const {
  const std::vector<Citation>& citations = last().answer.citations;
  std::size_t chosen = 0;
  std::from_chars(number.data(), number.data() + number.size(), chosen);
  if (citations.empty()) throw Error(ErrorCode::usage, "the last answer cites no page");
  if (chosen < 1 || chosen > citations.size()) {
    throw Error(ErrorCode::usage, format(":open takes the number of a citation of the last answer, "
                                         "1 to {}, not \"{}\"",
                                         citations.size(), number));
  }
  const Citation& citation = citations[chosen - 1];
  const session::Corpus& corpus = session_.corpus();
  const session::Pool pool = corpus.pool({citation.page.doc});
  session::PageRaster raster =
      session_.images().raster(corpus.page_number(pool.front(), citation.page.page), kShownDpi);
  report::draw_marks(citation.boxes, raster.pixels_a_point, &raster.picture);
  const std::vector<std::uint8_t> bytes = image::encode_png(raster.picture);
  const std::string folder = user_cache_dir() + "/pages";
  make_folders(folder);
  const std::string name = content_hash(citation.page.doc + "\n" + citation.quote).substr(0, 16);
  const std::string file = format("{}/{}-page-{}.png", folder, name, citation.page.page);
  write_file_atomic(file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  print_line(file);
  open_for_person(file);
}

void Conversation::print_documents() const {
  const auto& documents = session_.corpus().documents();
  const session::Pool pool = session_.corpus().pool(docs_);
  for (std::size_t i = 0; i < pool.size() && i < kMostDocuments; ++i) {
    const store::DocumentRow& row = documents[pool[i].value].row;
    print_line(
        format("{}  {} {}", row.doc, row.page_count, row.page_count == 1 ? "page" : "pages"));
  }
  if (pool.size() > kMostDocuments) {
    print_line(format("... and {} more; `fineprint list` shows all", pool.size() - kMostDocuments));
  }
}

void Conversation::print_steps() const {
  for (const std::string& step : last().steps) print_line("  " + step);
  if (last().steps.empty()) print_line("  no step was reported");
}

void Conversation::choose_pipeline(const std::string& name) {
  if (name.empty()) {
    throw Error(ErrorCode::usage, ":pipeline needs a name; `fineprint pipelines` lists them");
  }
  auto other = std::make_unique<const answering::Answering>(
      with_trace(answering::settings_of_other(settings_, name)));
  other->open(session_);
  answering_ = std::move(other);
  log::note("the next questions are answered by {}", name);
}

void Conversation::save(const std::string& file) const {
  if (file.empty())
    throw Error(ErrorCode::usage, ":save needs the name of a file, for example talk.html");
  if (last().asked.empty()) return;
  require_place_for(file);
  report::Material material{.title = "Conversation", .answers = {}};
  for (const Answered& one : answered_) {
    Answer answer = one.answer;
    if (answer.question != one.asked) {
      answer.question = format("{} (understood: {})", one.asked, answer.question);
    }
    material.answers.push_back(std::move(answer));
  }
  report::ReportOptions options = settings_.read(report::report_options());
  options.pictures = report::Pictures::embed;
  tell_report(
      file, report::write_report(material, &session_.corpus(), &session_.images(), options, file));
}

void Conversation::add_picture(const std::string& file) {
  if (file.empty()) {
    throw Error(ErrorCode::usage,
                ":image needs the name of a picture's file, for example photo.jpg");
  }
  if (reader_ == nullptr) reader_ = question_picture_reader(settings_);
  std::vector<QuestionPicture> pictures = pictures_;
  pictures.push_back(reader_->read(file));
  session::check_question_pictures(pictures);
  pictures_ = std::move(pictures);
  log::note("the next question is about {}", pictures_.back().record.name);
}

void Conversation::forget() {
  turns_.clear();
  pictures_.clear();
}

}  // namespace fineprint::cli
