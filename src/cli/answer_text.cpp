// Prints answers for people.
#include "cli/answer_text.h"

#include "fineprint/core/format.h"
#include "fineprint/core/log.h"

#include "cli/output.h"

namespace fineprint::cli {
namespace {

// A citation of a complete page has no quote. A quote without boxes was not found on its page.
std::string citation_text(std::size_t number, const Citation& citation) {
  std::string line = format("[{}] {}, page {}", number, citation.page.doc, citation.page.page);
  if (!citation.quote.empty()) {
    line += format(": {}", citation.quote);
    if (citation.boxes.empty()) line += " (not found on the page)";
  }
  return line;
}

// Prints the citations of an answer from number `first` on.
void print_citations(const Answer& answer, std::size_t first) {
  for (std::size_t i = first; i < answer.citations.size(); ++i) {
    print_line("  " + citation_text(i + 1, answer.citations[i]));
  }
}

// Prints an answer that was cut out of a page: the quote with its page first, then the value in it,
// if it could be found safely.
void print_quoted(const Answer& answer) {
  const Citation& proof = answer.citations.front();
  print_line(citation_text(1, proof));
  // Without a quote the page itself is the answer, and has just been printed.
  if (!proof.quote.empty() && answer.answer != proof.quote)
    print_line("  answer: " + answer.answer);
  print_citations(answer, 1);
}

void print_abstained(const Answer& answer) {
  print_line(answer.answer);
  log::note("the documents do not seem to contain the answer (confidence {:.2f})",
            answer.confidence);
  if (!answer.citations.empty()) print_line("  related pages that do not answer it:");
  print_citations(answer, 0);
}

// Prints where the pictures of the question were found, and says what was not done with them.
void print_images(const Answer& answer) {
  for (const PictureRecord& picture : answer.images) {
    for (const ShownOn& shown : picture.found) {
      print_line(format("  {} is shown on {}, page {} ({:.2f})", picture.name, shown.page.doc,
                        shown.page.page, shown.score));
    }
    if (picture.found.empty() && picture.compared_pages > 0) {
      print_line(format("  {}: none of the {} pages compared shows it", picture.name,
                        picture.compared_pages));
    }
    for (const std::string& note : picture.notes) log::note("{}: {}", picture.name, note);
  }
}

// Below this confidence, an answer is more likely wrong than right.
constexpr double kDoubtful = 0.5;

}  // namespace

void print_answer(const Answer& answer) {
  const bool is_quoted = answer.generator.empty() && !answer.citations.empty();
  if (!answer.answerable) {
    print_abstained(answer);
  } else if (is_quoted) {
    print_quoted(answer);
  } else {
    print_line(answer.answer);
    print_citations(answer, 0);
  }
  if (answer.answerable) print_line(format("  confidence {:.2f}", answer.confidence));
  if (answer.answerable && answer.confidence < kDoubtful) {
    log::note("this answer is more likely wrong than right; check the page before you rely on it");
  }
  print_images(answer);
  if (!answer.limit.empty()) print_line(format("  stopped early: {}", answer.limit));
}

void note_unread_pages(const Answer& answer) {
  if (answer.unread_pages == 0) return;
  log::note("{} pages still wait for OCR; the answer does not take their contents into account",
            answer.unread_pages);
}

settings::Settings with_trace(const settings::Settings& settings) {
  settings::Settings traced = settings;
  traced.lay_over(OptionTexts{{"trace", {"true"}}}, std::string(settings::kFlagsOrigin));
  return traced;
}

}  // namespace fineprint::cli
