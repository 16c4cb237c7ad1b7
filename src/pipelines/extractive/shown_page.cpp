// Recognises questions about the place of a picture by their words.
#include "pipelines/extractive/shown_page.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fineprint/core/format.h"
#include "fineprint/retrieve/query.h"
#include "fineprint/text/terms.h"

namespace fineprint::pipelines::extractive {
namespace {

// Words that ask for a place and name the picture or what holds it, by language. With stop words
// ("where", "is", "this") and nothing else, a question asks for nothing but the page.
constexpr std::pair<std::string_view, std::string_view> kPlaceWords[] = {
    {"en",
     "page document file report slide book figure chart diagram graph picture image photo "
     "photograph screenshot show shows shown see seen find found contain contains come comes taken "
     "appear appears located belong belongs"},
    {"de",
     "seite dokument datei bericht folie abbildung bild foto diagramm grafik zeigt gezeigt finde "
     "findet stammt steht kommt enthält gehört"},
    {"fr",
     "page document fichier rapport figure image photo graphique montre trouve vient contient"},
    {"es",
     "página documento archivo informe figura imagen foto gráfico muestra encuentra viene "
     "contiene"},
};

const std::set<std::string>& place_terms() {
  static const std::set<std::string> kTerms = [] {
    std::set<std::string> all;
    for (const auto& [language, words] : kPlaceWords) {
      for (std::string& term : text::terms(words, language)) {
        all.insert(std::move(term));
      }
    }
    return all;
  }();
  return kTerms;
}

bool asks_for_page(const session::Context& context, const std::string& question) {
  const std::vector<std::string>& languages = context.session.corpus().languages();
  return std::ranges::all_of(retrieve::prepare_query(question, languages).asked_terms,
                             [](const std::string& term) { return place_terms().contains(term); });
}

}  // namespace

std::optional<Answer> shown_page(const session::Context& context, const std::string& question) {
  if (context.pictures.empty()) return std::nullopt;
  if (!asks_for_page(context, question)) return std::nullopt;
  std::vector<ShownOn> pages;
  for (const QuestionPicture& picture : context.pictures) {
    pages.insert(pages.end(), picture.record.found.begin(), picture.record.found.end());
  }
  if (pages.empty()) return std::nullopt;
  std::ranges::stable_sort(pages, std::ranges::greater(), &ShownOn::score);
  const ShownOn& best = pages.front();
  Answer answer;
  answer.answer = format("{}, page {}", best.page.doc, best.page.page);
  answer.answerable = true;
  answer.confidence = best.score;
  answer.answerability = best.score;
  for (const ShownOn& shown : pages) {
    answer.citations.push_back(
        {.page = shown.page, .quote = "", .boxes = {shown.box}, .score = shown.score});
  }
  return answer;
}

}  // namespace fineprint::pipelines::extractive
