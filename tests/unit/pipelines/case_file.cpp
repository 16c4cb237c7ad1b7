// Reads transcript tests.
#include "unit/pipelines/case_file.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <tuple>

#include "fineprint/core/format.h"
#include "fineprint/pipelines/pipeline.h"

#include "unit/pipelines/case_lines.h"

namespace fineprint::testing {
namespace {

// More would not fit on the pages that the runner draws.
constexpr std::size_t kMostLines = 10, kMostCharacters = 60;

// Those that are not declared by pipelines.
constexpr std::string_view kSearchSettings[] = {
    "scorer", "k", "min-score", "late-tokens", "late-rescore", "min-confidence"};

class CaseReader {
 public:
  CaseReader(const std::string& where, PipelineCase* out) : place_(where), out_(*out) {
    out_.where = where;
  }

  void read(const std::string& text) {
    for (const CaseKey& key : case_lines(text, place_)) read_key(key);
    const auto need = [&](const char* key) {
      if (!seen_.contains(key)) place_.refuse(1, format("the key \"{}\" is missing", key));
    };
    for (const char* key : {"pipeline", "question", "pages"}) need(key);
    if (!out_.fails) {
      for (const char* key : {"calls", "answer"}) need(key);
    }
  }

 private:
  using Handler = void (CaseReader::*)(const CaseKey&);
  struct Known {
    std::string_view key;
    Handler read;
    bool entries = false;   // lines may stand under it
    bool repeated = false;  // it may stand more than once
  };

  static const std::vector<Known>& known() {
    static const std::vector<Known> all = {
        {"pipeline", &CaseReader::pipeline},
        {"question", &CaseReader::question},
        {"docs", &CaseReader::docs},
        {"gold", &CaseReader::gold},
        {"set", &CaseReader::set, false, true},
        {"sets", &CaseReader::sets},
        {"strict", &CaseReader::strict},
        {"file", &CaseReader::file, true, true},
        {"budget", &CaseReader::budget, false, true},
        {"pages", &CaseReader::pages, true},
        {"labels", &CaseReader::labels, false, true},
        {"map", &CaseReader::map, true, true},
        {"graph", &CaseReader::graph, true},
        {"script", &CaseReader::script, true},
        {"tells", &CaseReader::tells},
        {"calls", &CaseReader::calls, true},
        {"answer", &CaseReader::answer},
        {"confidence", &CaseReader::confidence},
        {"citations", &CaseReader::citations, true},
        {"retrieved", &CaseReader::retrieved, true},
        {"ranked", &CaseReader::ranked},
        {"usage", &CaseReader::usage},
        {"trace", &CaseReader::trace, true},
        {"fallback", &CaseReader::fallback},
        {"limit", &CaseReader::limit},
        {"warns", &CaseReader::warns},
        {"fails", &CaseReader::fails},
    };
    return all;
  }

  void read_key(const CaseKey& key) {
    const auto found = std::ranges::find(known(), key.key, &Known::key);
    if (found == known().end()) {
      std::string names;
      for (const Known& one : known()) names += format("{}{}", names.empty() ? "" : ", ", one.key);
      place_.refuse(key.line, format("there is no key \"{}\"; the keys are: {}", key.key, names));
    }
    if (!seen_.insert(key.key).second && !found->repeated) {
      place_.refuse(key.line, format("\"{}\" stands here for the second time", key.key));
    }
    if (!found->entries && !key.entries.empty()) {
      place_.refuse(key.entries.front().line, format("nothing can stand under \"{}\"", key.key));
    }
    (this->*found->read)(key);
  }

  std::string text(const CaseKey& key) const {
    if (key.rest.empty()) place_.refuse(key.line, format("\"{}\" says nothing", key.key));
    return key.rest;
  }

  template <class Number>
  Number number(const std::string& text, int line) const {
    Number value{};
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end) {
      place_.refuse(line, format("\"{}\" is not a number as it is wanted here", text));
    }
    return value;
  }

  // "NAME = VALUE" or "NAME=VALUE".
  std::pair<std::string, std::string> assignment(const std::string& text, int line) const {
    const auto parts = case_parts(text, "=");
    if (!parts || parts->first.empty()) {
      place_.refuse(line, format("\"{}\" should read NAME = VALUE", text));
    }
    return *parts;
  }

  std::vector<double> numbers(const std::string& list, int line) const {
    std::vector<double> all;
    for (std::size_t at = 0; at <= list.size();) {
      const std::size_t end = std::min(list.find(',', at), list.size());
      all.push_back(number<double>(list.substr(at, end - at), line));
      at = end + 1;
    }
    return all;
  }

  // "report.pdf:3", and "report.pdf:3-5" for three pages.
  std::vector<PageRef> refs(const std::string& text, int line) const {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos || colon == 0) {
      place_.refuse(line, format("\"{}\" should name a page: DOCUMENT:PAGE", text));
    }
    const std::string pages = text.substr(colon + 1);
    const std::size_t dash = pages.find('-');
    const int first = number<int>(pages.substr(0, dash), line);
    const int last = dash == std::string::npos ? first : number<int>(pages.substr(dash + 1), line);
    std::vector<PageRef> all;
    for (int page = first; page <= last; ++page) all.push_back({text.substr(0, colon), page});
    if (all.empty()) place_.refuse(line, format("\"{}\" names no page", text));
    return all;
  }

  PageRef ref(const std::string& text, int line) const {
    const std::vector<PageRef> all = refs(text, line);
    if (all.size() != 1) place_.refuse(line, format("\"{}\" should name one page", text));
    return all.front();
  }

  ErrorCode code(const std::string& name, int line) const {
    const ErrorCode found = code_from_name(name);
    if (code_name(found) != name) place_.refuse(line, format("there is no error \"{}\"", name));
    return found;
  }

  void pipeline(const CaseKey& key) {
    out_.pipeline = text(key);
    const auto named = [&](const pipelines::Pipeline& one) {
      return one.info.name == out_.pipeline;
    };
    if (std::ranges::none_of(pipelines::all(), named)) {
      place_.refuse(key.line, format("there is no pipeline \"{}\"", out_.pipeline));
    }
  }
  void question(const CaseKey& key) { out_.question.text = text(key); }
  void docs(const CaseKey& key) { out_.question.docs = case_words(text(key)); }
  void gold(const CaseKey& key) {
    out_.question.evidence.emplace();
    for (const std::string& word : case_words(key.rest)) {
      for (const PageRef& page : refs(word, key.line)) out_.question.evidence->push_back(page);
    }
  }
  void set(const CaseKey& key) {
    const auto [name, value] = assignment(key.rest, key.line);
    check_setting(name, value, key.line);
    if (!out_.settings.emplace(name, value).second) {
      place_.refuse(key.line, format("\"{}\" is set for the second time", name));
    }
  }
  void sets(const CaseKey& key) {
    constexpr std::string_view kSets[] = {"page", "late", "text", "late-text", "none"};
    out_.sets = case_words(text(key));
    for (const std::string& name : out_.sets) {
      const auto is_named = [&](std::string_view one) {
        return name == one || name == store::elements_set(std::string(one));
      };
      if (std::ranges::any_of(kSets, is_named)) continue;
      place_.refuse(key.line, format("there is no set \"{}\"; there are: page, late, text, "
                                     "late-text, none, and late-elements and so on",
                                     name));
    }
  }
  void strict(const CaseKey& key) {
    if (text(key) != "yes") place_.refuse(key.line, "it reads: strict yes");
    out_.strict = true;
  }
  void check_setting(const std::string& name, const std::string& value, int line) const {
    if (std::ranges::find(kSearchSettings, name) != std::end(kSearchSettings)) return;
    const Option* option = find_option(name);
    if (option == nullptr) place_.refuse(line, format("there is no setting \"{}\"", name));
    const std::string choices =
        option->type == OptionType::boolean ? "true|false" : option->choice_list();
    if (!choices.empty() && ("|" + choices + "|").find("|" + value + "|") == std::string::npos) {
      place_.refuse(line, format("\"{}\" is one of {}, not \"{}\"", name, choices, value));
    }
  }
  // Of searching, of reading and answering, or of any pipeline; nullptr when there is none.
  static const Option* find_option(const std::string& name) {
    std::vector<const std::vector<Option>*> all = {&agents::answer_options().options(),
                                                   &retrieve::search_options().options()};
    for (const pipelines::Pipeline& one : pipelines::all()) all.push_back(&one.options);
    for (const std::vector<Option>* options : all) {
      const auto found = std::ranges::find(*options, name, &Option::name);
      if (found != options->end()) return &*found;
    }
    return nullptr;
  }
  void file(const CaseKey& key) {
    std::string& content = out_.files[text(key)];
    for (const CaseEntry& entry : key.entries) content += entry.text + "\n";
  }
  void budget(const CaseKey& key) {
    const auto [name, value] = assignment(key.rest, key.line);
    if (name == "max-calls") {
      out_.limits.max_calls = number<int>(value, key.line);
    } else if (name == "max-pages") {
      out_.limits.max_pages = number<int>(value, key.line);
    } else if (name == "max-image-tokens") {
      out_.limits.max_image_tokens = number<long>(value, key.line);
    } else if (name == "max-seconds") {
      out_.limits.max_seconds = number<double>(value, key.line);
    } else {
      place_.refuse(key.line, format("there is no limit \"{}\"; there are: max-calls, max-pages, "
                                     "max-image-tokens, max-seconds",
                                     name));
    }
  }

  void pages(const CaseKey& key) {
    for (const CaseEntry& entry : key.entries) {
      const auto parts = case_parts(entry.text, "|");
      if (!parts) place_.refuse(entry.line, "a page reads DOCUMENT:PAGE SCORE | TEXT");
      CasePage page;
      page.lines = lines_of(entry, parts->second);
      std::vector<std::string> words = case_words(parts->first);
      if (words.size() < 2) place_.refuse(entry.line, "a page reads DOCUMENT:PAGE SCORE | TEXT");
      if (words.size() > 2 || words[1] != "-") {
        for (std::size_t i = 1; i < words.size(); ++i) {
          page.scores.push_back(score(words[i], entry.line));
        }
      }
      for (const PageRef& one : refs(words[0], entry.line)) {
        page.ref = one;
        check_order(page, entry.line);
        out_.pages.push_back(page);
      }
    }
  }
  void labels(const CaseKey& key) {
    std::vector<std::string> words = case_words(text(key));
    const std::string doc = words.front();
    words.erase(words.begin());
    out_.labels[doc] = std::move(words);
  }

  void map(const CaseKey& key) {
    CaseMap made;
    made.map.doc = text(key);
    made.map.model = "scripted";
    for (const CaseEntry& entry : key.entries) map_line(entry, &made);
    out_.maps.push_back(std::move(made));
  }
  void map_line(const CaseEntry& entry, CaseMap* made) const {
    const auto parts = case_parts(entry.text, "|").value_or(std::pair(entry.text, ""));
    const std::vector<std::string> words = case_words(parts.first);
    if (words.size() == 3 && words[0] == "section") {
      made->map.sections.push_back(section(words, parts.second, entry.line));
    } else if (words.size() == 2 && words[0] == "page") {
      const bool blank = parts.second.empty();
      made->map.pages.push_back({number<int>(words[1], entry.line), parts.second, blank, {}});
    } else if (words.size() >= 7 && words.size() <= 9 && words[0] == "element") {
      made->map.elements.push_back(element(words, parts.second, entry.line));
      made->scores.push_back(element_scores(words, entry.line));
      if (made->scores.size() > 1 && made->scores.end()[-2].empty() &&
          !made->scores.back().empty()) {
        place_.refuse(entry.line, "elements without a score are the last ones of their map");
      }
    } else if (words.size() == 2 && words[0] == "made") {
      made->made = number<int>(words[1], entry.line);
    } else {
      place_.refuse(entry.line,
                    "a line of a map reads section NUMBER PAGES | TITLE, page PAGE | SUMMARY, "
                    "element PAGE KIND X0 Y0 X1 Y1 [SCORE [SCORE]] | NAME | CAPTION, or made "
                    "PAGES");
    }
  }
  docmap::Section section(const std::vector<std::string>& words, const std::string& title,
                          int line) const {
    docmap::Section section;
    section.number = words[1];
    section.title = title;
    section.level = 1 + static_cast<int>(std::ranges::count(words[1], '.'));
    if (section.level > 1) section.parent = words[1].substr(0, words[1].rfind('.'));
    for (const PageRef& page : refs("map:" + words[2], line)) section.pages.push_back(page.page);
    return section;
  }
  docmap::MappedElement element(const std::vector<std::string>& words, const std::string& said,
                                int line) const {
    const auto kind = docmap::parse_kind(words[2]);
    if (!kind) place_.refuse(line, format("there is no kind of element \"{}\"", words[2]));
    docmap::MappedElement element;
    element.id = format("p{}-{}", words[1], words[2]);
    element.page = number<int>(words[1], line);
    element.kind = *kind;
    std::tie(element.name, element.caption) = case_parts(said, "|").value_or(std::pair(said, ""));
    const auto side = [&](std::size_t i) { return number<float>(words[i], line); };
    element.box = {side(3), side(4), side(5), side(6)};
    return element;
  }
  // One score is by image and by text alike.
  std::vector<double> element_scores(const std::vector<std::string>& words, int line) const {
    std::vector<double> scores;
    for (std::size_t i = 7; i < words.size(); ++i) scores.push_back(score(words[i], line));
    if (scores.size() == 1) scores.push_back(scores.front());
    return scores;
  }
  std::vector<std::string> lines_of(const CaseEntry& entry, const std::string& first) const {
    std::vector<std::string> lines = {first};
    for (const CaseEntry& more : entry.below) {
      if (more.text.front() != '|') place_.refuse(more.line, "a page's line begins with |");
      lines.push_back(case_trimmed(more.text.substr(1)));
    }
    const auto too_long = [](const std::string& line) { return line.size() > kMostCharacters; };
    if (lines.size() > kMostLines || std::ranges::any_of(lines, too_long)) {
      place_.refuse(entry.line, format("a page has at most {} lines of {} characters", kMostLines,
                                       kMostCharacters));
    }
    if (lines == std::vector<std::string>{""}) lines.clear();
    return lines;
  }
  double score(const std::string& text, int line) const {
    const auto value = number<double>(text, line);
    if (value < -1 || value > 1) place_.refuse(line, "a score is a cosine, from -1 to 1");
    return value;
  }
  // Stores number pages by their order, and hold vectors of a document's first pages.
  void check_order(const CasePage& page, int line) {
    const CasePage* before = out_.pages.empty() ? nullptr : &out_.pages.back();
    const bool follows = before != nullptr && before->ref.doc == page.ref.doc;
    if (page.ref.page != (follows ? before->ref.page + 1 : 1)) {
      place_.refuse(line, "the pages of a document stand together, from 1 on, none left out");
    }
    if (!follows && !documents_.insert(page.ref.doc).second) {
      place_.refuse(line, "the pages of a document stand together, from 1 on, none left out");
    }
    if (follows && before->scores.empty() && !page.scores.empty()) {
      place_.refuse(line, "pages without a score are the last ones of their document");
    }
  }

  void graph(const CaseKey& key) {
    CaseGraph graph;
    for (const std::string& word : case_words(key.rest)) {
      const auto [name, value] = assignment(word, key.line);
      if (name == "links") {
        graph.links = number<int>(value, key.line);
      } else if (name == "threshold") {
        graph.threshold = number<double>(value, key.line);
      } else if (name == "similarity") {
        graph.similarity = value;
      } else {
        place_.refuse(key.line,
                      format("a graph has no \"{}\"; it has: links, threshold, similarity", name));
      }
    }
    for (const CaseEntry& entry : key.entries) {
      std::vector<PageRef> pages;
      for (const std::string& word : case_words(entry.text)) {
        for (const PageRef& page : refs(word, entry.line))
          pages.push_back(stored(page, entry.line));
      }
      graph.linked.emplace_back(pages.front(), std::vector(pages.begin() + 1, pages.end()));
    }
    out_.graph = std::move(graph);
  }
  PageRef stored(const PageRef& page, int line) const {
    const auto found = std::ranges::find(out_.pages, page, &CasePage::ref);
    if (found == out_.pages.end()) place_.refuse(line, "\"pages\" has to name it before");
    return page;
  }

  void script(const CaseKey& key) {
    for (const CaseEntry& entry : key.entries) {
      const auto parts = case_parts(entry.text, "=>");
      if (!parts) place_.refuse(entry.line, "a reply reads AGENT [PAGES] [NAME=VALUE] => REPLY");
      CaseReply reply;
      reply.line = entry.line;
      reply.text = parts->second;
      for (const CaseEntry& more : entry.below) reply.text += "\n" + more.text;
      int times = 1;
      for (const std::string& word : case_words(parts->first)) {
        if (reply.agent.empty()) {
          reply.agent = word;
        } else if (word.find('=') != std::string::npos) {
          reply_option(word, entry.line, &reply, &times);
        } else {
          add_pages(word, entry.line, &reply.pages);
        }
      }
      if (reply.agent.empty()) place_.refuse(entry.line, "it does not say which agent replies");
      out_.script.insert(out_.script.end(), static_cast<std::size_t>(times), reply);
    }
  }
  void reply_option(const std::string& word, int line, CaseReply* reply, int* times) {
    const auto [name, value] = assignment(word, line);
    if (name == "entropy") {
      reply->entropies = numbers(value, line);
    } else if (name == "logprobs") {
      reply->log_probabilities = numbers(value, line);
    } else if (name == "top_entropy") {
      reply->top_entropies = numbers(value, line);
    } else if (name == "error") {
      reply->error = code(value, line);
    } else if (name == "cut") {
      reply->cut = number<int>(value, line) != 0;
    } else if (name == "times") {
      *times = number<int>(value, line);
    } else {
      place_.refuse(line, format("a reply has no \"{}\"; it has: entropy, logprobs, top_entropy, "
                                 "error, cut, times",
                                 name));
    }
  }
  // Ranges become their pages; mosaics ("a.pdf:1+a.pdf:2") and sizes ("@300x100") stay.
  void add_pages(const std::string& word, int line, std::vector<std::string>* pages) const {
    const std::string name = word.substr(0, word.find('@'));
    const std::string size = word.substr(name.size());
    if (name.find('+') != std::string::npos) {
      pages->push_back(word);
      return;
    }
    for (const PageRef& page : refs(name, line)) {
      pages->push_back(format("{}:{}{}", page.doc, page.page, size));
    }
  }

  void calls(const CaseKey& key) {
    for (const CaseEntry& entry : key.entries) {
      CaseCall call;
      call.line = entry.line;
      int times = 1;
      for (const std::string& word : case_words(entry.text)) {
        if (call.agent.empty() && word == "with" && !out_.calls.empty()) {
          call.at_once = true;
        } else if (call.agent.empty()) {
          call.agent = word;
        } else if (word.starts_with("times=")) {
          times = number<int>(word.substr(6), entry.line);
        } else if (call.tier.empty()) {
          call.tier = tier(word, entry.line);
        } else {
          add_pages(word, entry.line, &call.pages);
        }
      }
      if (call.tier.empty() != call.pages.empty()) {
        place_.refuse(entry.line, "a call reads AGENT, or AGENT TIER PAGES");
      }
      for (const CaseEntry& more : entry.below) call_detail(more, &call);
      out_.calls.insert(out_.calls.end(), static_cast<std::size_t>(times), call);
    }
  }
  std::string tier(const std::string& word, int line) const {
    constexpr std::string_view kTiers[] = {"thumb", "low", "page", "fine"};
    const bool is_size = word.find_first_not_of("0123456789x") == std::string::npos;
    if (!is_size && std::ranges::find(kTiers, word) == std::end(kTiers)) {
      place_.refuse(line,
                    format("there is no tier \"{}\"; there are: thumb, low, page, fine", word));
    }
    return word;
  }
  void call_detail(const CaseEntry& entry, CaseCall* call) {
    const std::size_t blank = std::min(entry.text.find(' '), entry.text.size());
    const std::string word = entry.text.substr(0, blank);
    const std::string rest = case_trimmed(entry.text.substr(blank));
    if (rest.empty()) place_.refuse(entry.line, format("\"{}\" says nothing", word));
    if (word == "says") {
      call->says.push_back(rest);
    } else if (word == "hides") {
      call->hides.push_back(rest);
    } else if (word == "tokens") {
      call->tokens = number<int>(rest, entry.line);
    } else {
      place_.refuse(entry.line, format("a call has no \"{}\"; it has: says, hides, tokens", word));
    }
  }

  void answer(const CaseKey& key) { out_.answer = text(key); }
  void confidence(const CaseKey& key) { out_.confidence = number<double>(text(key), key.line); }
  void fallback(const CaseKey& key) { out_.fallback = text(key); }
  void limit(const CaseKey& key) { out_.limit = text(key); }
  void warns(const CaseKey& key) { out_.warns = text(key); }
  void fails(const CaseKey& key) {
    const auto parts = case_parts(text(key) + " ", " ");
    out_.fails = std::pair(code(parts->first, key.line), parts->second);
  }

  void citations(const CaseKey& key) {
    out_.citations.emplace();
    for (const CaseEntry& entry : key.entries) {
      const auto parts = case_parts(entry.text, "|");
      const std::vector<std::string> words = case_words(parts ? parts->first : entry.text);
      if (words.size() != 2) {
        place_.refuse(entry.line,
                      "a citation reads DOCUMENT:PAGE whole, or DOCUMENT:PAGE marked | QUOTE");
      }
      CaseCitation citation{ref(words[0], entry.line), CaseMark::whole, parts ? parts->second : ""};
      if (words[1] == "marked") {
        citation.mark = CaseMark::marked;
      } else if (words[1] == "unmarked") {
        citation.mark = CaseMark::unmarked;
      } else if (words[1] != "whole") {
        place_.refuse(entry.line, "a citation is marked, unmarked or whole");
      }
      if ((citation.mark == CaseMark::whole) != citation.quote.empty()) {
        place_.refuse(entry.line, "a quote stands behind | unless the page is cited as a whole");
      }
      out_.citations->push_back(std::move(citation));
    }
  }
  void retrieved(const CaseKey& key) {
    out_.retrieved.emplace();
    for (const CaseEntry& entry : key.entries) {
      const std::vector<std::string> words = case_words(entry.text);
      if (words.size() != 2) place_.refuse(entry.line, "it reads DOCUMENT:PAGE SCORE");
      const auto score = number<double>(words[1], entry.line);
      for (const PageRef& page : refs(words[0], entry.line)) {
        out_.retrieved->emplace_back(page, score);
      }
    }
  }
  void ranked(const CaseKey& key) {
    out_.ranked.emplace();
    for (const std::string& word : case_words(key.rest)) {
      for (const PageRef& page : refs(word, key.line)) out_.ranked->push_back(page);
    }
  }
  using Counts = std::map<std::string, std::int64_t>;
  Counts counts(const CaseKey& key, std::initializer_list<std::string_view> known) const {
    Counts counts;
    for (const std::string& word : case_words(text(key))) {
      const auto [name, value] = assignment(word, key.line);
      if (std::ranges::find(known, name) == known.end()) {
        place_.refuse(key.line, format("\"{}\" knows no \"{}\"", key.key, name));
      }
      counts[name] = number<std::int64_t>(value, key.line);
    }
    return counts;
  }
  void usage(const CaseKey& key) {
    out_.usage = counts(key, {"vlm_calls", "prompt_tokens", "image_tokens", "cached_tokens",
                              "output_tokens", "malformed"});
  }
  void tells(const CaseKey& key) {
    out_.tells = counts(key, {"prompt_tokens", "image_tokens", "cached_tokens", "vocabulary",
                              "sees", "most_pixels", "can_choose"});
  }
  void trace(const CaseKey& key) {
    for (const CaseEntry& entry : key.entries) {
      const std::vector<std::string> words = case_words(entry.text);
      if (words.front() == "never") {
        if (words.size() != 2) place_.refuse(entry.line, "it reads: never STEP");
        out_.never.push_back(words.back());
        continue;
      }
      CaseStep step{words.front(), {}, entry.line};
      for (std::size_t i = 1; i < words.size(); ++i) {
        step.fields.insert(assignment(words[i], entry.line));
      }
      out_.trace.push_back(std::move(step));
    }
  }

  CasePlace place_;
  PipelineCase& out_;
  std::set<std::string, std::less<>> seen_, documents_;
};

}  // namespace

PipelineCase parse_case(const std::string& text, const std::string& where) {
  PipelineCase out;
  CaseReader(where, &out).read(text);
  return out;
}

}  // namespace fineprint::testing
