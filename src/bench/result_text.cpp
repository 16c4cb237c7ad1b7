// Writes results as tables for people, and questions as lines.
#include "bench/result_text.h"

#include <cmath>
#include <initializer_list>

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

std::string seconds_text(const Json& seconds) {
  return seconds.is_number() ? format("{:.2f}", seconds.get<double>()) : std::string("-");
}

// Returns, for example, "binary: Qwen2.5-VL-7B".
std::string judge_text(const Json& run) {
  const std::string judge = run.at("judge").get<std::string>();
  if (judge.empty()) return "-";
  return cell(format("{}: {}", run.at("judge_kind").get<std::string>(), judge));
}

// One row for each pipeline, with quality first and cost last.
std::string runs_table(const Json& runs) {
  std::string text =
      "| pipeline | generator | scored by | judge | score | R@1 | R@5 | nDCG@5 | first citation "
      "right | failed | calls | tokens in | of images | tokens out | seconds | in retrieval | in "
      "answering |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const Json& run : runs) {
    const Json& ranking = run.at("ranking");
    const Json& cost = run.at("a_question");
    const auto most = run.at("ranked_pages").get<std::int64_t>();
    const auto ranked = [&](const char* name, std::int64_t pages) {
      const bool measured = ranking.contains(name) && pages <= most;
      return measured ? interval_text(ranking.at(name)) : std::string("-");
    };
    text +=
        format("| {} | {} | {}, {} | {} | {} | {} | {} | {} | {} | {} |",
               run.at("pipeline").get<std::string>(), cell(run.at("generator").get<std::string>()),
               run.at("scored_by").get<std::string>(), run.at("measure").get<std::string>(),
               judge_text(run), interval_text(run.at("score")), ranked("R@1", 1), ranked("R@5", 5),
               ranked("nDCG@5", 5), percent_text(run.at("first_citation")),
               run.at("failed").get<std::int64_t>());
    text += format(" {:.2f} | {:.0f} | {:.0f} | {:.0f} | {:.2f} | {} | {} |\n",
                   cost.at("calls").get<double>(), cost.at("prompt_tokens").get<double>(),
                   cost.at("image_tokens").get<double>(), cost.at("output_tokens").get<double>(),
                   cost.at("seconds").get<double>(), seconds_text(cost.at("seconds_retrieval")),
                   seconds_text(cost.at("seconds_answering")));
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

// Rules that have "acc" (MoLoRAG's) give per cent, the others shares.
std::string rule_total(const Json& run, const char* name) {
  const Json& totals = run.at("totals");
  if (!totals.contains(name) || !totals.at(name).is_number()) return "-";
  return format("{:.1f}", totals.at(name).get<double>() * (totals.contains("acc") ? 1 : 100));
}

// A slice is a number in per cent, or an object with the share.
std::string page_slice(const Json& run, std::initializer_list<const char*> names) {
  const Json pages = run.at("totals").value("by_page_count", Json::object());
  for (const char* name : names) {
    if (!pages.contains(name)) continue;
    const Json& slice = pages.at(name);
    if (slice.is_number()) return format("{:.1f}", slice.get<double>());
    return percent_text(slice.value("accuracy", Json()));
  }
  return "-";
}

// Only the rules of MMLongBench-Doc and LongDocURL have such totals.
std::string rule_totals_text(const Json& runs) {
  std::string text;
  for (const Json& run : runs) {
    if (!run.at("totals").contains("by_page_count")) continue;
    text +=
        format("| {} | {} | {} | {} | {} | {} |\n", run.at("pipeline").get<std::string>(),
               rule_total(run, "em"), rule_total(run, "f1"), page_slice(run, {"single_page"}),
               page_slice(run, {"multi_page", "cross_page"}), page_slice(run, {"unanswerable"}));
  }
  if (text.empty()) return text;
  return "\n## Totals of the rules\n\n| pipeline | EM | F1 | one page | several pages | "
         "unanswerable |\n|---|---|---|---|---|---|\n" +
         text;
}

std::string splits_text(const Json& run) {
  std::string text;
  for (const auto& [split, groups] : run.at("splits").items()) {
    text += format(
        "\n### {}, by {}\n\n| | questions | share | correct | wrong | score |\n"
        "|---|---|---|---|---|---|\n",
        run.at("pipeline").get<std::string>(), split);
    for (const auto& [value, group] : groups.items()) {
      text += format("| {} | {} | {} | {} | {} | {} |\n", value,
                     group.at("questions").get<std::int64_t>(), percent_text(group.at("share")),
                     group.at("correct").get<std::int64_t>(), group.at("wrong").get<std::int64_t>(),
                     percent_text(group.at("score")));
    }
  }
  return text;
}

std::string cross_table_text(const Json& run) {
  const Json& table = run.at("cross_table");
  if (table.empty()) return {};
  std::string text = format(
      "\n### {}, retrieval and answers\n\n| gold page found | and answer "
      "right | and answer wrong | not found, answer right | neither |\n"
      "|---|---|---|---|---|\n",
      run.at("pipeline").get<std::string>());
  for (const auto& [cut, counts] : table.items()) {
    text += format("| {} | {} | {} | {} | {} |\n", cut, counts.at("both").get<std::int64_t>(),
                   counts.at("retrieval_only").get<std::int64_t>(),
                   counts.at("answer_only").get<std::int64_t>(),
                   counts.at("neither").get<std::int64_t>());
  }
  return text;
}

std::string judged_pages_text(const Json& run) {
  const Json& pages = run.at("judged_pages");
  if (pages.is_null()) return {};
  return format("\n{}: a model judged {:.1f} of {:.1f} pages of a question's documents ({}%).\n",
                run.at("pipeline").get<std::string>(), pages.at("judged").get<double>(),
                pages.at("pool").get<double>(), percent_text(pages.at("share")));
}

// What happened on the way to the answers.
std::string ways_text(const Json& runs) {
  std::string text;
  for (const Json& run : runs) {
    text += judged_pages_text(run) + cross_table_text(run) + splits_text(run);
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

// Follows the number of questions.
std::string sample_text(const Json& sample) {
  if (sample.is_null()) return {};
  return format(", drawn at random from {} with the seed {}", sample.at("of").get<std::int64_t>(),
                sample.at("seed").get<std::int64_t>());
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
             "# {}\n\n{} questions{}. Percent, with 95% intervals (bootstrap over questions); "
             "costs "
             "are means over the questions that were answered.\n\n",
             title, record.at("questions").get<std::int64_t>(), sample_text(record.at("sample"))) +
         runs_table(runs) + figures_table(record.at("published")) + rule_totals_text(runs) +
         ways_text(runs) + slices_text(runs) + quirks_text(runs) + notes_text(record);
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
  // All other fields of the record go along, because reports divide questions by some of them.
  // Fields of the same name must not replace ours.
  for (const auto& [name, value] : extra.items()) {
    if (!line.contains(name)) line[name] = value;
  }
  return dump_json(line);
}

}  // namespace fineprint::bench
