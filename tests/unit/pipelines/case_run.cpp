// Sets the stage of a transcript test and lets its pipeline play.
#include "unit/pipelines/case_run.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "fineprint/core/format.h"
#include "fineprint/docmap/stored_map.h"
#include "fineprint/pipelines/pipeline.h"

#include "support/fake_encoders.h"
#include "support/small_store.h"
#include "unit/pipelines/case_pages.h"

namespace fineprint::testing {
namespace {

// White, and as large as the resolution asks for.
class DrawnPages : public session::PageSource {
 public:
  Image raster(const store::DocumentRow&, int, double dpi) const override {
    const auto side = [&](float points) {
      return static_cast<int>(std::lround(points * dpi / 72));
    };
    Image image{side(kCasePageWidth), side(kCasePageHeight), 3, {}};
    image.pixels.assign(image.stride() * static_cast<std::size_t>(image.height), 255);
    return image;
  }
};

std::string script_lines(const std::vector<CaseReply>& script) {
  std::string lines;
  for (const CaseReply& reply : script) {
    Json line{{"agent", reply.agent}};
    if (!reply.pages.empty()) line["match"]["pages"] = reply.pages;
    if (reply.error) {
      line["reply"] = {{"error", reply.text}, {"code", code_name(*reply.error)}};
    } else {
      line["reply"] = reply.text;
    }
    if (!reply.entropies.empty()) line["entropy"] = reply.entropies;
    if (!reply.log_probabilities.empty()) line["logprobs"] = reply.log_probabilities;
    if (!reply.top_entropies.empty()) line["top_entropy"] = reply.top_entropies;
    lines += dump_json(line) + "\n";
  }
  return lines;
}

Page typed(const CasePage& typed) {
  Page page;
  page.width_pt = kCasePageWidth;
  page.height_pt = kCasePageHeight;
  std::vector<std::string> paragraph;
  for (const std::string& line : typed.lines) {
    if (!line.empty()) {
      paragraph.push_back(line);
    } else if (!paragraph.empty()) {
      type_element(&page, ElementKind::paragraph, std::exchange(paragraph, {}));
    }
  }
  if (!paragraph.empty()) type_element(&page, ElementKind::paragraph, paragraph);
  return page;
}

// The question's vector is (1, 0): this one's cosine with it is the score.
std::vector<float> vector_of(double score) {
  return {static_cast<float>(score), static_cast<float>(std::sqrt(1 - score * score))};
}

class Stage {
 public:
  explicit Stage(const PipelineCase& test) : test_(test) {
    for (const char* kind : {"page", "late"}) {
      if (has(kind)) store_.register_set(set(kind, store::VectorUnit::page));
    }
    for (const char* kind : {"text", "late-text"}) {
      if (has(kind)) store_.register_set(set(kind, store::VectorUnit::chunk));
    }
    for (const std::string kind : {"page", "late", "text", "late-text"}) {
      if (has(store::elements_set(kind))) store_.register_set(elements_beside(kind));
    }
    for (std::size_t at = 0; at < test.pages.size();) at = put_document(at);
    for (const CaseMap& made : test.maps) put_map(made);
    tell(test.tells);
    session::SessionParts parts;
    parts.encoders = encoders();
    parts.pages = std::make_unique<DrawnPages>();
    parts.generator = std::make_unique<RecordingGenerator>(
        dir_.write("script.jsonl", script_lines(test.script)), records_);
    session_ = std::make_unique<session::Session>(store_.store(), session::SessionOptions{},
                                                  std::move(parts));
    for (const auto& [name, content] : test.files) dir_.write(name, content);
  }

  CaseRun run() {
    CaseRun run;
    Trace trace(true);
    Budget budget(test_.limits);
    const StopSource source;
    cut_replies(source);
    session::Context context(*session_, trace, budget, source.token());
    ::testing::internal::CaptureStderr();
    try {
      run.answer = pipelines::find(test_.pipeline).run(context, test_.question, options());
    } catch (const Error& error) {
      run.failure = error;
    }
    run.log = ::testing::internal::GetCapturedStderr();
    run.answer.usage = context.usage;
    if (run.answer.limit.empty()) run.answer.limit = context.limit;
    run.answer.fallback = context.fallback;
    run.asked = records_->asked;
    run.trace = parse_json(trace.to_json(), "trace");
    return run;
  }

 private:
  void cut_replies(const StopSource& source) {
    records_->on_reply = [this, source](const models::Request& request, models::Reply& reply) {
      const bool cut = std::ranges::any_of(test_.script, [&](const CaseReply& one) {
        return one.cut && one.agent == request.agent && one.text == reply.text;
      });
      if (!cut) return;
      source.request_stop();
      reply.finish = models::Finish::cancelled;
    };
  }

  void tell(const std::map<std::string, std::int64_t>& tells) {
    for (const auto& [name, value] : tells) {
      if (name == "prompt_tokens") records_->cost.prompt_tokens = value;
      if (name == "image_tokens") records_->cost.image_tokens = value;
      if (name == "cached_tokens") records_->cost.cached_tokens = value;
      if (name == "vocabulary") records_->vocabulary = value;
      if (name == "most_pixels") records_->most_pixels = value;
      if (name == "can_choose") records_->can_choose = value != 0;
      if (name == "sees") records_->sees = value != 0;
    }
  }

  static store::VectorSet set(const std::string& kind, store::VectorUnit unit) {
    store::VectorSet set;
    set.name = set.kind = set.model = set.hash = set.spec = kind;
    set.unit = unit;
    set.dim = 2;
    set.many_vectors = kind.starts_with("late");
    return set;
  }

  static store::VectorSet elements_beside(const std::string& kind) {
    store::VectorSet beside = set(kind, store::VectorUnit::element);
    beside.name = beside.kind = store::elements_set(kind);
    return beside;
  }

  bool has(const std::string& kind) const { return std::ranges::count(test_.sets, kind) > 0; }

  // The pages of one document, from `first` on; returns where the next one begins.
  std::size_t put_document(std::size_t first) {
    const std::string& doc = test_.pages[first].ref.doc;
    std::vector<Page> pages;
    std::vector<Rows> page_vectors, chunk_vectors;
    std::size_t at = first;
    for (; at < test_.pages.size() && test_.pages[at].ref.doc == doc; ++at) {
      const CasePage& page = test_.pages[at];
      pages.push_back(typed(page));
      pages.back().label = label_of(page.ref);
      if (page.scores.empty()) continue;
      page_vectors.push_back({vector_of(page.scores.front())});
      for (std::size_t i = 0; i < chunks_of(pages.back()).size(); ++i) {
        chunk_vectors.push_back({vector_of(page.scores[std::min(i, page.scores.size() - 1)])});
      }
    }
    const std::int64_t document = store_.put(doc, std::move(pages));
    for (const char* kind : {"page", "late"}) {
      if (has(kind) && !page_vectors.empty()) store_.put_vectors(kind, document, page_vectors);
    }
    for (const char* kind : {"text", "late-text"}) {
      if (has(kind) && !chunk_vectors.empty()) store_.put_vectors(kind, document, chunk_vectors);
    }
    if (test_.graph) put_graph(document, doc, at - first);
    return at;
  }

  std::string label_of(const PageRef& page) const {
    const auto found = test_.labels.find(page.doc);
    const auto index = static_cast<std::size_t>(page.page) - 1;
    const bool has_one = found != test_.labels.end() && index < found->second.size();
    return has_one ? found->second[index] : "";
  }

  void put_map(const CaseMap& made) {
    const auto document = store_.store().find(made.map.doc);
    if (!document) throw Error(ErrorCode::internal, "a map of no document: " + made.map.doc);
    docmap::DocumentMap map = made.map;
    map.pages_total = document->page_count;
    map.pages.clear();
    for (int page = 1; page <= made.made.value_or(map.pages_total); ++page) {
      const auto said = std::ranges::find(made.map.pages, page, &docmap::MappedPage::page);
      map.pages.push_back(said == made.map.pages.end() ? docmap::MappedPage{page, "", false, {}}
                                                       : *said);
      map.pages.back().sections = deepest_sections(map, page);
    }
    store_.put_map(document->id, docmap::to_stored(map, "scripted"));
    put_element_vectors(document->id, made);
  }

  void put_element_vectors(std::int64_t document, const CaseMap& made) {
    std::vector<Rows> by_image, by_text;
    for (const std::vector<double>& scores : made.scores) {
      if (scores.empty()) break;
      by_image.push_back({vector_of(scores.front())});
      by_text.push_back({vector_of(scores.back())});
    }
    if (by_image.empty()) return;
    for (const std::string kind : {"page", "late", "text", "late-text"}) {
      const std::string beside = store::elements_set(kind);
      const bool texts = kind.ends_with("text");
      if (has(beside)) store_.put_vectors(beside, document, texts ? by_text : by_image);
    }
  }

  // Of those that hold the page, the ones that hold none of the others.
  static std::vector<std::string> deepest_sections(const docmap::DocumentMap& map, int page) {
    std::vector<std::string> numbers, parents;
    for (const docmap::Section& section : map.sections) {
      if (std::ranges::count(section.pages, page) == 0) continue;
      numbers.push_back(section.number);
      parents.push_back(section.parent);
    }
    std::erase_if(numbers, [&](const std::string& number) {
      return std::ranges::count(parents, number) > 0;
    });
    return numbers;
  }

  void put_graph(std::int64_t document, const std::string& doc, std::size_t pages) {
    std::vector<std::set<std::uint32_t>> linked(pages);
    const auto index = [](const PageRef& page) {
      return static_cast<std::uint32_t>(page.page - 1);
    };
    for (const auto& [page, others] : test_.graph->linked) {
      if (page.doc != doc) continue;
      for (const PageRef& other : others) {
        linked.at(index(page)).insert(index(other));
        linked.at(index(other)).insert(index(page));
      }
    }
    store::StoredGraph graph;
    graph.options.neighbours = test_.graph->links;
    graph.options.threshold = test_.graph->threshold;
    for (const auto& [name, similarity] : score::graph_similarity_names()) {
      if (name == test_.graph->similarity) graph.options.similarity = similarity;
    }
    for (const auto& others : linked) graph.neighbours.emplace_back(others.begin(), others.end());
    for (const char* name : {"page", "late", "text"}) {
      if (has(name)) store_.put_page_graph(name, document, graph);
    }
  }

  std::unique_ptr<const session::EncoderSource> encoders() const {
    std::map<std::string, FakeModel> models;
    for (const std::string kind : {"page", "late", "text", "late-text"}) {
      models[kind] = {kind, {{test_.question.text, {{1, 0}}}}};
    }
    return std::make_unique<FakeEncoders>(std::move(models));
  }

  pipelines::PipelineOptions options() const {
    const pipelines::Pipeline& pipeline = pipelines::find(test_.pipeline);
    OptionTexts texts = {{"scorer", {"page"}}, {"k", {"3"}}};
    for (const auto& [name, value] : test_.settings) {
      const Option& option = option_of(pipeline, name);
      texts[name] =
          option.type == OptionType::list ? split_texts(value, ',') : std::vector{with_dir(value)};
      check_texts(option, texts[name], test_.where);
    }
    pipelines::PipelineOptions options{.search = retrieve::search_options().read(texts),
                                       .answer = agents::answer_options().read(texts),
                                       .own = texts};
    options.search.docs = test_.question.docs;
    options.search.gold = test_.question.evidence;
    options.search.substitute = !test_.strict;
    agents::Reserve answer{.calls = 1, .pages = options.search.k, .tier = options.answer.tier};
    if (!pipeline.info.generates) answer = {};
    options.search.rankers =
        pipelines::page_rankers(options.answer, [&](const std::string&) { return texts; }, answer);
    return options;
  }

  // What a case may set: the pipeline's own, of reading, of the search, and of pipelines that are
  // scorers.
  static const Option& option_of(const pipelines::Pipeline& pipeline, const std::string& name) {
    std::vector<const std::vector<Option>*> all = {&pipeline.options,
                                                   &agents::answer_options().options(),
                                                   &retrieve::search_options().options()};
    for (const pipelines::Pipeline& other : pipelines::all()) {
      if (other.finding.rank != nullptr) all.push_back(&other.options);
    }
    for (const std::vector<Option>* options : all) {
      const auto found = std::ranges::find(*options, name, &Option::name);
      if (found != options->end()) return *found;
    }
    throw Error(ErrorCode::internal, format("no pipeline declares the setting \"{}\"", name));
  }

  std::string with_dir(std::string value) const {
    constexpr std::string_view kDir = "{dir}";
    const std::size_t at = value.find(kDir);
    return at == std::string::npos ? value : value.replace(at, kDir.size(), dir_.path());
  }

  const PipelineCase& test_;
  TempDir dir_;
  SmallStore store_;
  std::shared_ptr<Records> records_ = std::make_shared<Records>();
  std::unique_ptr<session::Session> session_;
};

}  // namespace

CaseRun run_case(const PipelineCase& test) { return Stage(test).run(); }

}  // namespace fineprint::testing
