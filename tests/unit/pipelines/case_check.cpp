// Compares what a pipeline did with what its transcript test expects.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "fineprint/core/format.h"

#include "unit/pipelines/case_pages.h"
#include "unit/pipelines/case_run.h"

namespace fineprint::testing {
namespace {

constexpr double kClose = 1e-6;

// "report.pdf:1 page" for an image of a call, as a case names it but for the tier.
std::string shown_name(const models::Request& request, std::size_t image, const std::string& tier) {
  std::string name = image < request.pages.size() ? request.pages[image] : "?";
  std::ranges::replace(name, ' ', '+');
  const std::string size = case_size(request.images[image]);
  return size == tier ? name : name + "@" + size;
}

// The tier of the first image that is a whole page.
std::string tier_of(const models::Request& request) {
  for (const Image& image : request.images) {
    const std::string size = case_size(image);
    if (size.find('x') == std::string::npos) return size;
  }
  return request.images.empty() ? "" : case_size(request.images.front());
}

std::string described(const models::Request& request, const std::string& tier) {
  std::string text = request.agent;
  if (!request.images.empty()) text += " " + (tier.empty() ? tier_of(request) : tier);
  for (std::size_t i = 0; i < request.images.size(); ++i) {
    text += " " + shown_name(request, i, tier);
  }
  return text;
}

std::string described(const CaseCall& call) {
  std::string text = call.agent + (call.tier.empty() ? "" : " " + call.tier);
  for (const std::string& page : call.pages) text += " " + page;
  return text;
}

std::string prompt_of(const models::Request& request) {
  std::string text;
  for (const models::Message& message : request.messages) text += message.text + "\n";
  return text;
}

// Letters and digits alone, so that line ends and blanks do not matter.
std::string plain(const std::string& text) {
  std::string out;
  for (const unsigned char c : text) {
    if (std::isalnum(c)) out += static_cast<char>(std::tolower(c));
  }
  return out;
}

std::string name_of(const PageRef& page) { return format("{}:{}", page.doc, page.page); }

std::string described(const CaseCitation& citation) {
  const char* mark = citation.mark == CaseMark::marked     ? " marked | "
                     : citation.mark == CaseMark::unmarked ? " unmarked | "
                                                           : " whole";
  return name_of(citation.page) + mark + citation.quote;
}

std::string described(const Citation& citation) {
  const CaseMark mark = !citation.boxes.empty()  ? CaseMark::marked
                        : citation.quote.empty() ? CaseMark::whole
                                                 : CaseMark::unmarked;
  return described(CaseCitation{citation.page, mark, citation.quote});
}

class Checker {
 public:
  Checker(const PipelineCase& test, const CaseRun& run) : test_(test), run_(run) {}

  std::vector<std::string> problems() {
    check_calls();
    check_failure();
    if (!run_.failure) {
      check_answer();
      check_citations();
      check_retrieved();
      check_ranked();
      check_usage();
      check_trace();
      check_words("limit", test_.limit, run_.answer.limit);
      check_words("fallback", test_.fallback, run_.answer.fallback);
      check_log();
    }
    check_safety();
    return std::move(problems_);
  }

 private:
  void add(const std::string& problem, int line = 0) {
    problems_.push_back(line > 0 ? format("{}:{}: {}", test_.where, line, problem)
                                 : format("{}: {}", test_.where, problem));
  }

  // Calls that are made at once come in any order: those of a group in the order of the case.
  std::vector<Asked> asked_as_written() const {
    std::vector<Asked> asked = run_.asked;
    for (std::size_t begin = 0, end = 0; begin < test_.calls.size(); begin = end) {
      end = begin + 1;
      while (end < test_.calls.size() && test_.calls[end].at_once) ++end;
      for (std::size_t i = begin; i < std::min(end, asked.size()); ++i) {
        for (std::size_t j = i; j < std::min(end, asked.size()); ++j) {
          if (asked[j].request.agent != test_.calls[i].agent) continue;
          std::swap(asked[i], asked[j]);
          break;
        }
      }
    }
    return asked;
  }

  void check_calls() {
    const std::vector<Asked> all_asked = asked_as_written();
    const std::size_t count = std::max(test_.calls.size(), all_asked.size());
    for (std::size_t i = 0; i < count; ++i) {
      if (i >= all_asked.size()) {
        add(format("call {} was not made: {}", i + 1, described(test_.calls[i])),
            test_.calls[i].line);
      } else if (i >= test_.calls.size()) {
        const models::Request& request = all_asked[i].request;
        add(format("call {} is one too many: {}", i + 1, described(request, tier_of(request))));
      } else {
        check_call(test_.calls[i], all_asked[i], i + 1);
      }
    }
    if (run_.asked.size() < test_.script.size()) {
      add(format("{} of the {} replies of the script were not asked for",
                 test_.script.size() - run_.asked.size(), test_.script.size()));
    }
  }

  void check_call(const CaseCall& call, const Asked& asked, std::size_t number) {
    const models::Request& request = asked.request;
    const std::string made = described(request, call.tier);
    if (made != described(call)) {
      add(format("call {} should be \"{}\" but was \"{}\"", number, described(call), made),
          call.line);
    }
    const std::string prompt = prompt_of(request);
    std::size_t at = 0;
    for (const std::string& text : call.says) {
      const std::size_t found = prompt.find(text, at);
      if (found == std::string::npos) {
        add(format("call {} ({}) should say \"{}\"{}; it says:\n{}", number, call.agent, text,
                   at == 0 ? "" : " behind what it should say before", prompt),
            call.line);
      } else {
        at = found + text.size();
      }
    }
    for (const std::string& text : call.hides) {
      if (prompt.find(text) == std::string::npos) continue;
      add(format("call {} ({}) should not say \"{}\"; it says:\n{}", number, call.agent, text,
                 prompt),
          call.line);
    }
    if (call.tokens && *call.tokens != asked.options.max_new_tokens) {
      add(format("call {} ({}) should allow {} new tokens, not {}", number, call.agent,
                 *call.tokens, asked.options.max_new_tokens),
          call.line);
    }
    if (asked.options.temperature != 0) add(format("call {} is not greedy", number), call.line);
  }

  void check_failure() {
    if (!test_.fails) {
      if (run_.failure) {
        add(format("it failed ({}): {}", code_name(run_.failure->code()), run_.failure->what()));
      }
      return;
    }
    const auto& [code, words] = *test_.fails;
    if (!run_.failure) {
      add(format("it should fail ({}) but answered \"{}\"", code_name(code), run_.answer.answer));
    } else if (run_.failure->code() != code ||
               std::string(run_.failure->what()).find(words) == std::string::npos) {
      add(format("it should fail ({}) saying \"{}\" but failed ({}) saying \"{}\"", code_name(code),
                 words, code_name(run_.failure->code()), run_.failure->what()));
    }
  }

  void check_answer() {
    const Answer& answer = run_.answer;
    if (answer.answer != test_.answer) {
      add(format("the answer should be \"{}\" but was \"{}\"", test_.answer, answer.answer));
    }
    if (answer.answerable == (answer.answer == kNotAnswerable)) {
      add(format("the answer \"{}\" says answerable = {}", answer.answer, answer.answerable));
    }
    if (!(answer.confidence >= 0 && answer.confidence <= 1)) {
      add(format("the confidence {} is not within 0 and 1", answer.confidence));
    }
    if (test_.confidence && std::abs(*test_.confidence - answer.confidence) > kClose) {
      add(format("the confidence should be {} but was {}", *test_.confidence, answer.confidence));
    }
  }

  void check_citations() {
    if (!test_.citations) return;
    std::string wanted, given;
    for (const CaseCitation& citation : *test_.citations) wanted += "\n  " + described(citation);
    for (const Citation& citation : run_.answer.citations) given += "\n  " + described(citation);
    if (wanted != given) {
      add(format("the citations should be:{}\nbut are:{}", wanted.empty() ? " none" : wanted,
                 given.empty() ? " none" : given));
    }
  }

  void check_retrieved() {
    if (!test_.retrieved) return;
    const auto& wanted = *test_.retrieved;
    // The ranking goes on after the pages that were read.
    std::vector<RetrievedPage> given = run_.answer.retrieved;
    std::erase_if(given, [](const RetrievedPage& page) { return !page.shown; });
    bool same = wanted.size() == given.size();
    for (std::size_t i = 0; same && i < wanted.size(); ++i) {
      same =
          wanted[i].first == given[i].page && std::abs(wanted[i].second - given[i].score) < kClose;
    }
    if (same) return;
    std::string text;
    for (const RetrievedPage& page : given)
      text += format("\n  {} {}", name_of(page.page), page.score);
    add(format("retrieved was:{}", text.empty() ? " nothing" : text));
  }

  void check_ranked() {
    if (!test_.ranked) return;
    std::string wanted, given;
    for (const PageRef& page : *test_.ranked) wanted += " " + name_of(page);
    for (const RetrievedPage& page : run_.answer.retrieved) {
      if (!page.shown) given += " " + name_of(page.page);
    }
    if (wanted != given) add(format("ranked was:{}", given.empty() ? " nothing" : given));
  }

  void check_usage() {
    const Usage& usage = run_.answer.usage;
    const std::map<std::string, std::int64_t> counts = {
        {"vlm_calls", usage.vlm_calls},         {"prompt_tokens", usage.prompt_tokens},
        {"image_tokens", usage.image_tokens},   {"cached_tokens", usage.cached_tokens},
        {"output_tokens", usage.output_tokens}, {"malformed", usage.malformed}};
    std::map<std::string, std::int64_t> wanted = test_.usage;
    wanted.emplace("malformed", 0);
    wanted.emplace("vlm_calls", static_cast<std::int64_t>(run_.asked.size()));
    for (const auto& [name, count] : wanted) {
      if (counts.at(name) == count) continue;
      add(format("usage: {} should be {} but is {}", name, count, counts.at(name)));
    }
  }

  static std::string text_of(const Json& value) {
    return value.is_string() ? value.get<std::string>() : dump_json(value);
  }
  static bool equal(const Json& value, const std::string& wanted) {
    if (!value.is_number()) return text_of(value) == wanted;
    const Json number = Json::parse(wanted, nullptr, false);
    return number.is_number() && std::abs(number.get<double>() - value.get<double>()) < kClose;
  }
  static bool fits(const CaseStep& step, const Json& entry) {
    if (entry.at("step") != step.step) return false;
    return std::ranges::all_of(step.fields, [&](const auto& field) {
      return entry.contains(field.first) && equal(entry.at(field.first), field.second);
    });
  }

  void check_trace() {
    auto at = run_.trace.begin();
    for (const CaseStep& step : test_.trace) {
      at = std::find_if(at, run_.trace.end(), [&](const Json& entry) { return fits(step, entry); });
      if (at == run_.trace.end()) {
        add(format("the trace lacks this step, or it stands elsewhere:\n{}", run_.trace.dump(1)),
            step.line);
        return;
      }
      ++at;
    }
    for (const Json& entry : run_.trace) {
      const auto step = entry.at("step").get<std::string>();
      if (std::ranges::find(test_.never, step) == test_.never.end()) continue;
      add(format("the trace should not have the step \"{}\"", step));
    }
    const auto calls = std::ranges::count_if(
        run_.trace, [](const Json& entry) { return entry.at("step") == "call"; });
    if (static_cast<std::size_t>(calls) != run_.asked.size()) {
      add(format("{} calls were made, but {} are in the trace", run_.asked.size(), calls));
    }
  }

  void check_words(const char* what, const std::string& wanted, const std::string& given) {
    if (wanted.empty() ? given.empty() : given.find(wanted) != std::string::npos) return;
    add(wanted.empty() ? format("the {} should be empty but is: {}", what, given)
                       : format("the {} should say \"{}\" but is: {}", what, wanted, given));
  }

  // Some warnings come once a process: those of earlier cases count too.
  void check_log() {
    logged_so_far() += run_.log;
    check_words("log", test_.warns, test_.warns.empty() ? run_.log : logged_so_far());
  }

  // What holds in every pipeline, whatever replies say.
  void check_safety() {
    std::set<std::string> shown;
    for (const Asked& asked : run_.asked) {
      for (const std::string& names : asked.request.pages) add_names(names, &shown);
    }
    for (const std::string& page : shown) {
      if (!in_pool(page.substr(0, page.rfind(':')))) {
        add(format("{} was shown, which is outside the pool", page));
      }
    }
    for (const Citation& citation : run_.answer.citations) check_citation(citation, shown);
  }

  static void add_names(const std::string& names, std::set<std::string>* all) {
    for (std::size_t at = 0; at < names.size();) {
      const std::size_t end = std::min(names.find(' ', at), names.size());
      all->insert(names.substr(at, end - at));
      at = end + 1;
    }
  }
  bool in_pool(const std::string& doc) const {
    const auto& docs = test_.question.docs;
    return docs.empty() || std::ranges::find(docs, doc) != docs.end();
  }

  void check_citation(const Citation& citation, const std::set<std::string>& shown) {
    const std::string name = name_of(citation.page);
    const auto page = std::ranges::find(test_.pages, citation.page, &CasePage::ref);
    if (page == test_.pages.end()) {
      add(format("{} is cited, which does not exist", name));
      return;
    }
    std::string text;
    for (const std::string& line : page->lines) text += line + " ";
    // Pipelines that read text show passages instead of pages.
    if (!shown.contains(name) && !passage_shown(*page)) {
      add(format("{} is cited but was never shown", name));
    }
    const bool stands =
        !citation.quote.empty() && plain(text).find(plain(citation.quote)) != std::string::npos;
    if (!citation.boxes.empty() && !stands) {
      add(format("\"{}\" is marked on {} but does not stand there", citation.quote, name));
    }
  }
  bool passage_shown(const CasePage& page) const {
    const auto said = [&](const Asked& asked) {
      const std::string prompt = plain(prompt_of(asked.request));
      return asked.request.images.empty() &&
             std::ranges::any_of(page.lines, [&](const std::string& line) {
               return !plain(line).empty() && prompt.find(plain(line)) != std::string::npos;
             });
    };
    return std::ranges::any_of(run_.asked, said);
  }

  const PipelineCase& test_;
  const CaseRun& run_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> problems_of(const PipelineCase& test, const CaseRun& run) {
  return Checker(test, run).problems();
}

}  // namespace fineprint::testing
