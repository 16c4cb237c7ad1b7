// Answers, searches and shows pages over one store.
#include "fineprint/server/service.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "fineprint/answering/method_options.h"
#include "fineprint/answering/presets.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/core/text.h"
#include "fineprint/core/threads.h"
#include "fineprint/core/trace.h"
#include "fineprint/image/codec.h"
#include "fineprint/retrieve/picture_pages.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/session/question_picture.h"

#include "server/document_names.h"
#include "server/gate.h"
#include "server/kept_answers.h"
#include "server/live_store.h"
#include "server/refusal.h"
#include "server/sent_files.h"
#include "server/uploads.h"

namespace fineprint::server {
namespace {

constexpr std::string_view kRequestOrigin = "the request";
constexpr std::size_t kMostWords = 10'000;  // bytes of a question
constexpr std::size_t kMostMarks = 100;
constexpr double kLeastDpi = 20, kMostDpi = 300;
constexpr int kJpegQuality = 85;
constexpr std::string_view kDefaultEncoder = "all-MiniLM-L6-v2";
// Searches share passes over the vectors and through the text encoder, so more than one a core run
// at a time. Not all: each has the scores of all pages in memory.
constexpr int kSearches = 8;  // for each core
// Searches and pages take little time, so more of them may wait.
constexpr int kWaiting = 64;  // for each core
constexpr int kWithoutLimit = std::numeric_limits<int>::max();

// Checked before a place in the queue is taken.
void check_words(const std::string& words, const char* what) {
  if (trim(words).empty()) {
    throw Refusal(400, format("the {} is empty", what));
  }
  if (words.size() > kMostWords) {
    throw Refusal(400,
                  format("the {} has {} bytes; the limit is {}", what, words.size(), kMostWords));
  }
}

settings::Settings overlaid(const settings::Settings& settings, const OptionTexts& texts) {
  settings::Settings changed = settings;
  changed.lay_over(texts, std::string(kRequestOrigin));
  return changed;
}

// Passes steps on to the trace and to another listener, who follows them. If there is one, the
// steps are kept as well, whole, because who asks again may want other parts of them.
class Steps : public EventListener {
 public:
  Steps(Trace* trace, EventListener* other) : trace_(trace), other_(other) {}
  bool wants_fields() const override { return trace_->wants_fields() || other_ != nullptr; }
  bool wants_lines() const override { return other_ != nullptr; }
  bool wants_progress() const override { return other_ != nullptr && other_->wants_progress(); }
  void take(const Event& event) override {
    if (event.kind == Event::Kind::step && trace_->enabled()) trace_->take(event);
    if (other_ == nullptr) return;
    if (event.kind == Event::Kind::step) {
      const std::lock_guard lock(mutex_);
      kept_.push_back({std::string(event.step), event.ms, event.fields, event.line});
    }
    other_->take(event);
  }

  // Call it when the question is answered.
  std::vector<KeptStep> take_kept() { return std::move(kept_); }

 private:
  std::mutex mutex_;  // guards the next
  std::vector<KeptStep> kept_;
  Trace* trace_;
  EventListener* other_;
};

void tell_understood(const std::string& question, EventListener& listener) {
  listener.take({.step = "understood",
                 .fields = dump_json({{"question", question}}),
                 .line = "understood: " + question});
}

// The client's own choice of documents comes first. Names in earlier answers are only what the
// client says that they were, so names that the store does not have are left out.
Question question_of(const AskRequest& request, const session::Session& session,
                     const dialogue::Understood& understood) {
  Question question;
  question.text = understood.question;
  question.docs = request.docs;
  if (question.docs.empty()) {
    for (const std::string& doc : understood.docs) {
      if (session.corpus().store().find(doc)) question.docs.push_back(doc);
    }
  }
  question.id = question_id(question.text, question.docs);
  return question;
}

}  // namespace

struct Service::State {
  explicit State(const ServiceSetup& given)
      : setup(given),
        models(setup.session),
        store(setup.store, models),
        search(answering::search_options(setup.settings)),
        cores(setup.session.model.device.threads > 0 ? setup.session.model.device.threads
                                                     : usable_cores()),
        questions("questions", at_once(), setup.refuses ? at_once() : kWithoutLimit),
        searches("searches", kSearches * cores, waiting()),
        embeddings("embeddings", cores, waiting()),
        drawings("pages", cores, waiting()),
        kept(setup.kept_answers),
        uploads(setup.store, setup.ingest),
        sent_files(setup.ingest, models),
        pictures(setup.session.document_workers, setup.session.read) {}

  const ServiceSetup setup;
  const session::Models models;
  LiveStore store;
  const retrieve::SearchOptions search;
  const int cores;
  Gate questions, searches, embeddings, drawings;
  KeptAnswers kept;
  Uploads uploads;
  SentFiles sent_files;
  session::QuestionPictureReader pictures;
  std::string default_pipeline;
  std::once_flag ways_made;
  std::vector<Way> ways;       // made at first use, because that parses all presets
  std::mutex answering_mutex;  // guards the next
  std::map<std::string, std::shared_ptr<const answering::Answering>> answering;  // by pipeline

  // A client may shorten the server's time limit, but not exceed it.
  StopToken limited(const StopToken& stop, std::optional<double> seconds) const {
    auto time = setup.time_limit;
    if (seconds) {
      const double most = static_cast<double>(time.count()) / 1000;
      const double chosen = std::clamp(*seconds, 0.0, most);
      time = std::chrono::milliseconds(static_cast<std::int64_t>(chosen * 1000));
    }
    return stop.until(StopToken::Clock::now() + time);
  }

  // A pipeline is prepared at its first question and then kept, because preparing it reads prompts
  // and settings.
  std::shared_ptr<const answering::Answering> by_pipeline(const std::string& name) {
    // A list such as "direct,hkrag" is no name, although the settings would accept it.
    answering::check_preset_name(name);
    const std::lock_guard guard(answering_mutex);
    auto& made = answering[name];
    if (made) return made;
    const settings::Settings chosen = overlaid(setup.settings, {{"pipeline", {name}}});
    try {
      made = std::make_shared<const answering::Answering>(
          answering::settings_of_pipelines(chosen).front(), answering::preset_names());
    } catch (...) {
      answering.erase(name);
      throw;
    }
    return made;
  }

  std::optional<Answer> kept_answer(const std::shared_ptr<const session::Session>& session,
                                    const std::string& key, EventListener* listener) {
    if (key.empty()) return std::nullopt;
    std::optional<KeptAnswer> found = kept.find(session, key);
    if (!found) return std::nullopt;
    if (listener != nullptr) {
      listener->take({.step = "kept",
                      .fields = dump_json({{"question", found->answer.question}}),
                      .line = "answered before, as follows; the documents are unchanged"});
      for (KeptStep& one : found->steps) {
        listener->take({.step = one.step,
                        .ms = one.ms,
                        .fields = std::move(one.fields),
                        .line = std::move(one.line)});
      }
    }
    return std::move(found->answer);
  }

  std::vector<QuestionPicture> read(const std::vector<SentFile>& sent) {
    std::vector<QuestionPicture> read;
    for (const SentFile& picture : sent) {
      read.push_back(pictures.read_bytes(*picture.bytes, picture.name));
    }
    session::check_question_pictures(read);
    return read;
  }

  int waiting() const { return setup.refuses ? kWaiting * cores : kWithoutLimit; }
  int at_once() const { return setup.at_once > 0 ? setup.at_once : cores; }
  bool has_generator() const { return !setup.session.generator.empty(); }
};

// Everything that could fail for each question is checked here, before the server accepts
// connections.
Service::Service(const ServiceSetup& setup) : state_(std::make_unique<State>(setup)) {
  // Several pipelines make sense for `bench` only; a question needs one.
  const auto all = answering::settings_of_pipelines(setup.settings);
  if (all.size() > 1)
    throw Error(ErrorCode::usage,
                "a server accepts only one --pipeline, which answers if a request names none");
  state_->default_pipeline = all.front().text("pipeline");
  state_->by_pipeline(state_->default_pipeline)->open(*session());
  retrieve::require_scorers(*session(), state_->search);
}

Service::~Service() = default;

std::shared_ptr<const session::Session> Service::session() const { return state_->store.session(); }

const std::string& Service::default_pipeline() const { return state_->default_pipeline; }

const std::vector<Way>& Service::ways() const {
  std::call_once(state_->ways_made, [&] {
    // Variants are left out: they are for ablations.
    for (const std::string& name : answering::preset_names()) {
      const answering::Preset preset =
          answering::find_preset(name, state_->setup.settings.options());
      const bool generates = preset.method->info.generates;
      state_->ways.push_back({.name = name,
                              .summary = preset.summary,
                              .generates = generates,
                              .usable = !generates || state_->has_generator()});
    }
  });
  return state_->ways;
}

// The store is taken once at the beginning: if it changes meanwhile, this search still sees one
// state.
std::vector<Hit> Service::search(const SearchRequest& request, const StopToken& stop) const {
  check_words(request.query, "query");
  const std::shared_ptr<const session::Session> session = this->session();
  retrieve::SearchOptions options =
      request.scorers.empty() ? state_->search
                              : answering::search_options(overlaid(state_->setup.settings,
                                                                   {{"scorer", request.scorers}}));
  if (request.k) options.k = *request.k;
  if (!request.docs.empty()) options.pool = pool_of(session->corpus(), request.docs);
  if (!request.scorers.empty()) retrieve::require_scorers(*session, options);
  const StopToken limited = state_->limited(stop, {});
  const Gate::Pass pass = state_->searches.enter(limited);
  Trace trace(false);
  Budget budget(state_->setup.settings.read(budget_options()));
  session::Context context(*session, trace, budget, limited);
  context.pictures = state_->read(request.pictures);
  retrieve::find_picture_pages(context, request.query, options);
  const std::vector<retrieve::FoundPage> pages = retrieve::search(context, request.query, options);
  throw_if_stopped(limited);
  return retrieve::to_hits(context, request.query, pages);
}

ServedAnswer Service::ask(const AskRequest& request, const StopToken& stop,
                          EventListener* listener) const {
  check_words(request.question, "question");
  const std::string& pipeline =
      request.pipeline.empty() ? state_->default_pipeline : request.pipeline;
  const auto answering = state_->by_pipeline(pipeline);
  std::shared_ptr<const session::Session> session;
  const auto take = [&](std::shared_ptr<const session::Session> taken) {
    answering->open(*taken);
    pool_of(taken->corpus(), request.docs);  // throws if a pattern matches nothing
    session = std::move(taken);
  };
  if (request.files.empty()) take(this->session());
  const std::string key = kept_key(request, pipeline, listener != nullptr);
  if (request.fresh) state_->kept.forget(key);
  if (auto kept = state_->kept_answer(session, key, listener)) return {{std::move(*kept)}, true};
  const StopToken limited = state_->limited(stop, request.seconds);
  // The time limit includes the waiting time, so that clients get an answer or a refusal in time.
  const Gate::Pass pass = state_->questions.enter(limited);
  // Several clients may have waited with the same question.
  if (!request.fresh) {
    if (auto kept = state_->kept_answer(session, key, listener)) return {{std::move(*kept)}, true};
  }
  // Reading files is work, so it needs a place.
  if (!request.files.empty()) take(state_->sent_files.session(request.files, limited));
  Trace trace(request.trace);
  Steps steps(&trace, listener);
  const dialogue::Understood understood =
      answering->understand(*session, request.question, request.earlier, limited, &steps);
  if (understood.changed) tell_understood(understood.question, steps);
  Question question = question_of(request, *session, understood);
  question.pictures = state_->read(request.pictures);
  Answer answer = answering->answer(*session, question, limited, &steps);
  if (request.trace) answer.trace_json = trace.to_json();
  state_->kept.keep(session, key, answer, steps.take_kept());
  return {{std::move(answer)}, false};
}

std::vector<store::DocumentRow> Service::documents(const std::string& pattern) const {
  const std::shared_ptr<const session::Session> session = this->session();
  const session::Corpus& corpus = session->corpus();
  std::vector<store::DocumentRow> rows;
  if (pattern.empty()) {
    for (const session::CorpusDocument& document : corpus.documents()) rows.push_back(document.row);
  } else {
    for (const DocumentId document : pool_of(corpus, {pattern})) {
      rows.push_back(corpus.documents()[document.value].row);
    }
  }
  return rows;
}

PageText Service::page(const PageRef& ref) const {
  const std::shared_ptr<const session::Session> session = this->session();
  const session::Corpus& corpus = session->corpus();
  const PageId dense = dense_page(corpus, ref);
  return {.ref = ref,
          .pages = corpus.documents()[corpus.document_of(dense).value].row.page_count,
          .page = corpus.page(dense)};
}

std::vector<report::Mark> Service::marks(const PageRef& ref,
                                         const std::vector<std::string>& quotes) const {
  if (quotes.size() > kMostMarks) {
    throw Refusal(
        400, format("{} quotes were given to mark; the limit is {}", quotes.size(), kMostMarks));
  }
  for (const std::string& quote : quotes) check_words(quote, "quote");
  const std::shared_ptr<const session::Session> session = this->session();
  return report::find_marks(session->corpus(), dense_page(session->corpus(), ref), quotes);
}

// Quotes are located before a place in the queue is taken, so that a wrong quote is refused at
// once.
Picture Service::picture(const PictureRequest& request, const StopToken& stop) const {
  if (!(request.dpi >= kLeastDpi && request.dpi <= kMostDpi)) {
    throw Refusal(400, format("dpi is {}; it must be {} to {}", request.dpi, kLeastDpi, kMostDpi));
  }
  Picture picture;
  picture.marks = marks(request.page, request.quotes);
  const std::shared_ptr<const session::Session> session = this->session();
  const PageId page = dense_page(session->corpus(), request.page);
  const StopToken limited = state_->limited(stop, {});
  const Gate::Pass pass = state_->drawings.enter(limited);
  session::PageRaster raster = session->images().raster(page, request.dpi);
  for (const report::Mark& mark : picture.marks) {
    report::draw_marks(mark.boxes, raster.pixels_a_point, &raster.picture);
  }
  report::draw_marks(request.boxes, raster.pixels_a_point, &raster.picture);
  throw_if_stopped(limited);
  picture.width = raster.picture.width;
  picture.height = raster.picture.height;
  picture.type = request.png ? "image/png" : "image/jpeg";
  picture.bytes = request.png ? image::encode_png(raster.picture)
                              : image::encode_jpeg(raster.picture, kJpegQuality);
  return picture;
}

// If the store has no text vectors, the default encoder answers requests for embeddings.
std::string Service::text_model() const {
  const std::vector<store::VectorSet> sets = session()->corpus().store().vector_sets();
  const auto found = std::ranges::find(sets, "text", &store::VectorSet::name);
  return found == sets.end() ? std::string(kDefaultEncoder) : found->model;
}

Matrix Service::embed(const std::vector<std::string>& texts, models::TextRole role,
                      const StopToken& stop) const {
  const std::shared_ptr<const session::Session> session = this->session();
  const Gate::Pass pass = state_->embeddings.enter(state_->limited(stop, {}));
  const models::Encoder& encoder =
      session->has_vectors("text") ? session->encoder("text")
                                   : state_->models.encoder(state_->models.encoder_hash(""), "");
  Matrix rows{texts.size(), encoder.dim(), {}};
  for (const Matrix& one : encoder.embed_texts(texts, role)) {
    rows.values.insert(rows.values.end(), one.values.begin(), one.values.end());
  }
  return rows;
}

std::string Service::upload_folder() const { return state_->uploads.folder(); }

void Service::check_name(const std::string& name) const {
  if (const std::string problem = problem_of_name(name); !problem.empty()) {
    throw Refusal(400, format("the document cannot be added: {}", problem));
  }
}

Added Service::add(const std::string& file, const std::string& name, bool replace) {
  check_name(name);
  const Added added = state_->uploads.add(file, name, replace);
  // Without waiting for the next check, so that the client can ask about its document at once.
  state_->store.refresh();
  return added;
}

Service::Load Service::load() const {
  const Gate::Load questions = state_->questions.load();
  const Gate::Load searches = state_->searches.load();
  const Gate::Load embeddings = state_->embeddings.load();
  const Gate::Load drawings = state_->drawings.load();
  return {.searching = searches.inside + embeddings.inside,
          .asking = questions.inside,
          .drawing = drawings.inside,
          .waiting = questions.waiting + searches.waiting + embeddings.waiting + drawings.waiting};
}

}  // namespace fineprint::server
