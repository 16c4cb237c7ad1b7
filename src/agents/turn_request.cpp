// Builds the request of a call: page images in their tier, labels, texts.
#include "agents/turn_request.h"

#include <utility>

#include "fineprint/core/format.h"
#include "fineprint/core/unicode.h"

#include "agents/gaps.h"

namespace fineprint::agents {
namespace {

constexpr long kPixelsOfAToken = 28 * 28;

// Returns "report.pdf:3"; the pages of a mosaic are joined by spaces.
std::string page_names(const session::Corpus& corpus, const Shown& shown) {
  std::string names;
  for (const PageId page : shown.pages) {
    const PageRef ref = corpus.ref(page);
    names += format("{}{}:{}", names.empty() ? "" : " ", ref.doc, ref.page);
  }
  return names;
}

// Returns the label of an image whose first page has this number in the call.
std::string label_of(const Shown& shown, std::size_t first) {
  if (!shown.part.empty()) return format("Page {} ({}): ", first, shown.part);
  return shown.pages.size() == 1
             ? format("Page {}: ", first)
             : format("Pages {} to {}: ", first, first + shown.pages.size() - 1);
}

// A system message that an agent does without is left out, because chat templates of models may
// have a default that the model was trained on.
std::vector<models::Message> begun(const Agent& agent) {
  std::vector<models::Message> messages;
  if (!agent.prompt.system.empty()) {
    messages.push_back({models::Role::system, agent.prompt.system, {}});
  }
  return messages;
}

}  // namespace

std::vector<Shown> one_by_one(std::span<const PageId> pages) {
  std::vector<Shown> shown;
  shown.reserve(pages.size());
  for (const PageId page : pages) shown.push_back({{page}});
  return shown;
}

Shown mosaic_of(const session::Context& context, session::Tier tier, std::span<const PageId> pages,
                const image::Grid& grid, std::size_t first) {
  std::vector<Image> pictures;
  for (const PageId page : pages) {
    if (context.stop_token.stop_requested()) return {{pages.begin(), pages.end()}};
    pictures.push_back(context.session.images().page(page, tier));
  }
  return {{pages.begin(), pages.end()}, image::mosaic(pictures, grid, first)};
}

Shown in_mosaic(const session::Context& context, session::Tier tier,
                std::span<const PageId> pages) {
  static_assert(kMostInMosaic == image::kMostCells);
  return mosaic_of(context, tier, pages, image::grid_of(pages.size()), 0);
}

models::Request page_request(const Agent& agent, const std::string& question, SharedImage page) {
  std::vector<SharedImage> pages;
  pages.push_back(std::move(page));
  return pages_request(agent, question, std::move(pages), {});
}

models::Request text_request(const Agent& agent, const std::string& question,
                             std::vector<Value> values) {
  models::Request request;
  request.agent = agent.name;
  request.question = question;
  values.push_back({"question", question, false});
  Filled said = filled(agent.prompt, values);
  models::Message user{models::Role::user, std::move(said.text), {}, {}};
  user.repeated = std::move(said.ends);
  request.messages = begun(agent);
  request.messages.push_back(std::move(user));
  return request;
}

models::Request pages_request(const Agent& agent, const std::string& question,
                              std::vector<SharedImage> pages, std::vector<std::string> names) {
  models::Request request = text_request(agent, question, {});
  request.images = std::move(pages);
  request.pages = std::move(names);
  models::Message& user = request.messages.back();
  for (std::size_t i = 0; i < request.images.size(); ++i) {
    user.images.push_back(i);
    user.image_labels.push_back(agent.labels ? label_of({.pages = {PageId(0)}}, i) : std::string());
  }
  return request;
}

namespace {

// Bytes of the text of a picture that a generator is given if it cannot see the picture.
constexpr std::size_t kMostPictureText = 4000;

// Returns the name under which traces and lists of sent pages show a picture. Part of its hash
// belongs to the name, because two pictures may have the same one.
std::string shown_name(const PictureRecord& record) {
  return format("picture {} {}", record.name, record.sha256.substr(0, 8));
}

// Appended after the pages, so that what a generator has read of the pages can be used again with
// another picture. Always labelled, even for agents whose pages have no labels: a picture must not
// be taken for a page.
void show_pictures(session::Context& context, const Agent& agent, models::Request* request,
                   models::Message* user) {
  for (std::size_t i = 0; i < context.pictures.size(); ++i) {
    QuestionPicture& picture = context.pictures[i];
    user->images.push_back(request->images.size());
    user->image_labels.push_back(context.pictures.size() == 1
                                     ? std::string("Picture of the question: ")
                                     : format("Picture {} of the question: ", i + 1));
    request->images.emplace_back(session::shrunk_to(agent.tier, *picture.image));
    request->pages.push_back(shown_name(picture.record));
    picture.record.note_use("generator");
  }
}

// Returns the question with what is written in its pictures.
std::string told_question(session::Context& context, const std::string& generator,
                          const std::string& question) {
  std::string told = question;
  for (QuestionPicture& picture : context.pictures) {
    PictureRecord& record = picture.record;
    told += "\n\nThe question comes with a picture that you cannot see. ";
    if (record.text.empty()) {
      told += "No text was found in it.";
      record.note(
          format("{} takes no pictures, and no text was found in this one, so it does not "
                 "know the picture",
                 generator));
      continue;
    }
    told +=
        "What is written in it:\n" + as_data(valid_utf8(record.text.substr(0, kMostPictureText)));
    record.note_use("text");
    record.note(format("{} takes no pictures, so it was given the text in this one", generator));
  }
  return told;
}

}  // namespace

models::Request turn_request(session::Context& context, const Agent& agent, const Turn& turn) {
  models::Request request;
  request.agent = agent.name;
  request.question = turn.question;
  models::Message user;
  std::size_t number = 0;
  for (std::size_t i = 0; i < turn.shown.size(); ++i) {
    // Rasterising is the slow part, and a stopped question asks nothing.
    if (context.stop_token.stop_requested()) break;
    const Shown& shown = turn.shown[i];
    request.images.push_back(
        shown.image ? *shown.image : context.session.images().page(shown.pages.at(0), agent.tier));
    request.pages.push_back(page_names(context.session.corpus(), shown));
    user.images.push_back(i);
    user.image_labels.push_back(agent.labels ? label_of(shown, number) : std::string());
    number += shown.pages.size();
  }
  std::string question = turn.question;
  if (!context.pictures.empty()) {
    const models::Generator& generator = context.session.generator(agent.name);
    if (generator.sees()) {
      show_pictures(context, agent, &request, &user);
    } else {
      question = told_question(context, generator.name(), question);
    }
  }
  std::vector<Value> values = turn.values;
  values.push_back({"question", std::move(question), false});
  request.messages = begun(agent);
  for (const Exchange& exchange : turn.before) {
    user.text = exchange.said;
    user.repeated = {user.text.size()};
    request.messages.push_back(std::exchange(user, {}));
    request.messages.push_back({models::Role::assistant, exchange.reply, {}});
  }
  Filled said = filled(agent.prompt, values);
  // In a continued conversation only the earlier exchanges repeat; the new text is never sent
  // again.
  if (turn.before.empty()) {
    if (turn.goes_on || said.ends.empty()) said.ends.push_back(said.text.size());
    user.repeated = std::move(said.ends);
  }
  user.text = std::move(said.text);
  request.messages.push_back(std::move(user));
  return request;
}

std::string shown_text(const models::Request& request, const Agent& agent) {
  std::string shown;
  for (const std::string& page : request.pages) shown += " " + page;
  return shown.empty() ? shown : shown + " at " + session::tier_name(agent.tier);
}

long estimated_image_tokens(const models::Request& request) {
  long tokens = 0;
  for (const Image& image : request.images) {
    const long pixels = static_cast<long>(image.width) * image.height;
    tokens += (pixels + kPixelsOfAToken - 1) / kPixelsOfAToken;
  }
  return tokens;
}

long most_image_tokens(session::Tier tier) {
  return (session::tier_size(tier).most_pixels + kPixelsOfAToken - 1) / kPixelsOfAToken;
}

}  // namespace fineprint::agents
