// Writes results as tables for people, and questions as lines.
#include "bench/result_text.h"

#include <cmath>

#include "fineprint/core/format.h"

namespace fineprint::bench {
namespace {

// A dash marks a figure that was not measured.
std::string percent_text(const Json& share) {
  return share.is_number() ? format("{:.1f}", 100 * share.get<double>()) : std::string("-");
}

// Returns, for example, "43.2 (40.1 to 46.3)".
std::string interval_text(const Json& interval) {
  if (!interval.is_object() || !interval.at("mean").is_number()) return "-";
  return format("{} ({} to {})", percent_text(interval.at("mean")),
                percent_text(interval.at("low")), percent_text(interval.at("high")));
}

// A pipe would end the cell.
std::string cell(std::string text) {
  std::string safe;
  for (const char c : text) {
    safe += c == '|' ? "\\|" : c == '\n' ? " " : std::string(1, c);
  }
  return safe;
}

// One row for each pipeline, with quality first and cost last.
std::string runs_table(const Json& runs) {
  std::string text =
      "| pipeline | generator | scored by | score | R@1 | R@5 | nDCG@5 | first citation right | "
      "failed | calls | tokens in | of images | tokens out | seconds |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const Json& run : runs) {
    const Json& ranking = run.at("ranking");
    const Json& cost = run.at("a_question");
    const auto most = run.at("ranked_pages").get<std::int64_t>();
    const auto ranked = [&](const char* name, std::int64_t pages) {
      const bool measured = ranking.contains(name) && pages <= most;
      return measured ? interval_text(ranking.at(name)) : std::string("-");
    };
    text += format(
        "| {} | {} | {}, {} | {} | {} | {} | {} | {} | {} |", run.at("pipeline").get<std::string>(),
        cell(run.at("generator").get<std::string>()), run.at("scored_by").get<std::string>(),
        run.at("measure").get<std::string>(), interval_text(run.at("score")), ranked("R@1", 1),
        ranked("R@5", 5), ranked("nDCG@5", 5), percent_text(run.at("first_citation")),
        run.at("failed").get<std::int64_t>());
    text +=
        format(" {:.2f} | {:.0f} | {:.0f} | {:.0f} | {:.2f} |\n", cost.at("calls").get<double>(),
               cost.at("prompt_tokens").get<double>(), cost.at("image_tokens").get<double>(),
               cost.at("output_tokens").get<double>(), cost.at("seconds").get<double>());
  }
  return text;
}

std::string figures_table(const Json& figures) {
  // Benchmarks of your own have no published figures.
  if (figures.empty()) return {};
  std::string text =
      "\n## Published\n\nFor orientation only: these figures are from other models and judges, and "
      "sometimes from other rules.\n\n"
      "| system | score | measure | source |\n|---|---|---|---|\n";
  for (const Json& figure : figures) {
    text += format("| {} | {} | {} | {} |\n", figure.at("system").get<std::string>(),
                   percent_text(figure.at("score")), figure.at("measure").get<std::string>(),
                   figure.at("source").get<std::string>());
  }
  return text;
}

// Small tables, because benchmarks differ in the fields that they have.
std::string slices_text(const Json& runs) {
  std::string text;
  for (const Json& run : runs) {
    for (const auto& [field, values] : run.at("slices").items()) {
      text += format("\n### {}, by {}\n\n| | questions | score |\n|---|---|---|\n",
                     run.at("pipeline").get<std::string>(), field);
      for (const auto& [value, slice] : values.items()) {
        text += format("| {} | {} | {} |\n", cell(value), slice.at("questions").get<std::int64_t>(),
                       percent_text(slice.at("score")));
      }
    }
  }
  return text;
}

// Quirks of published rules are listed, because they explain differences from other tools.
std::string quirks_text(const Json& runs) {
  std::string text;
  for (const Json& run : runs) {
    for (const char* totals : {"totals", "published_ranking"}) {
      if (!run.at(totals).contains("quirks")) continue;
      for (const auto& [quirk, count] : run.at(totals).at("quirks").items()) {
        text += format("- {}: {} affected {} scores\n", run.at("pipeline").get<std::string>(),
                       quirk, dump_json(count));
      }
    }
  }
  return text.empty() ? text : "\n## Quirks of the published rules\n\n" + text;
}

std::string notes_text(const Json& record) {
  std::string text;
  for (const Json& lacking : record.at("lacking")) {
    text += format("\nNote: {}.\n", lacking.get<std::string>());
  }
  const Json& problems = record.at("problems");
  if (problems.empty()) return text;
  text += format("\n## {} problems of the data\n\n", problems.size());
  for (const Json& problem : problems) {
    text += format("- {}:{} {} {}\n", cell(problem.at("file").get<std::string>()),
                   problem.at("line").get<std::int64_t>(), problem.at("field").get<std::string>(),
                   cell(problem.at("problem").get<std::string>()));
  }
  return text;
}

}  // namespace

std::string results_markdown(const Json& record) {
  std::string title = record.at("benchmark").get<std::string>();
  if (const auto subset = record.at("subset").get<std::string>(); !subset.empty()) {
    title += format(" {} ({} pool)", subset, record.at("pool").get<std::string>());
  }
  const Json& runs = record.at("runs");
  return format(
             "# {}\n\n{} questions. Percent, with 95% intervals (bootstrap over questions); costs "
             "are means over the questions that were answered.\n\n",
             title, record.at("questions").get<std::int64_t>()) +
         runs_table(runs) + figures_table(record.at("published")) + slices_text(runs) +
         quirks_text(runs) + notes_text(record);
}

// Pages of the question's only document are written as bare numbers, the usual form.
std::string question_line(const Question& question) {
  Json line = {{"id", question.id}, {"question", question.text}};
  if (question.docs.size() == 1) line["doc"] = question.docs.front();
  if (question.docs.size() > 1) line["doc"] = question.docs;
  if (question.answer) line["answer"] = *question.answer;
  if (!question.answer_format.empty()) line["answer_format"] = question.answer_format;
  if (question.evidence) {
    Json& pages = line["evidence_pages"] = Json::array();
    for (const PageRef& page : *question.evidence) {
      const bool is_own = question.docs.size() == 1 && question.docs.front() == page.doc;
      pages.push_back(is_own || page.doc.empty() ? Json(page.page)
                                                 : Json{{"doc", page.doc}, {"page", page.page}});
    }
  }
  const Json extra = Json::parse(question.extra_json);
  for (const auto& [name, value] : extra.items()) {
    if (!line.contains(name)) line[name] = value;
  }
  return dump_json(line);
}

}  // namespace fineprint::bench
