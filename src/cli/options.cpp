// The table of options: what the rooms declare, the program's own, and what pipelines declare.
#include "cli/options.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "fineprint/agents/reading.h"
#include "fineprint/core/budget.h"
#include "fineprint/core/format.h"
#include "fineprint/documents/reader.h"
#include "fineprint/ingest/ingest.h"
#include "fineprint/models/device.h"
#include "fineprint/models/generator.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/pipelines/pipeline.h"
#include "fineprint/remote/openai_generator.h"
#include "fineprint/report/report.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/score/hybrid_mask.h"
#include "fineprint/server/server_options.h"
#include "fineprint/serving/kept_states.h"
#include "fineprint/session/context.h"
#include "fineprint/session/document_filter.h"
#include "fineprint/store/states.h"
#include "fineprint/train/training.h"

namespace fineprint::cli {
namespace {

// Those that may open documents to show or read their pages.
constexpr unsigned kPictureCommands =
    kReadingCommands | kSearchingCommands | kGenerate | kEmbed | kReport | kShow | kTrain;

// Those that may ask a generator.
constexpr unsigned kAskingCommands = kGeneratingCommands | kIndex | kWatch | kTrain;

// An option of the program's own. `choices` are joined by '|'.
ProgramOption own(std::string_view name, OptionType type, unsigned commands,
                  const OptionFacts& facts, std::string_view initial = {},
                  std::string_view choices = {}) {
  ProgramOption option;
  option.name = name;
  option.type = type;
  if (type != OptionType::list) {
    const bool is_off = type == OptionType::boolean;
    option.initial = {is_off ? "false" : std::string(initial)};
  }
  option.choices = split_texts(choices, '|');
  option.facts = facts;
  option.commands = commands;
  return option;
}

// What to work on.
void add_what_to_work_on(OptionSet& set) {
  ProgramOption store =
      own("store", OptionType::text,
          kIndex | kSearchingCommands | kGenerate | kDoctor | kMap | kReport | kShow | kTrain |
              kList | kRemove | kExport | kWatch,
          {.help = "the folder that holds the index; search, ask and batch take several, which are "
                   "joined",
           .value = "DIR",
           .brief = "s",
           .same_answers = true});
  store.several = kSearch | kAsk | kBatch;
  set.add(std::move(store));
  set.add(own(
      "out", OptionType::text, kBatch | kBench | kEmbed | kReport | kShow | kTrain | kExport,
      {.help =
           "the file for the results: answers are appended ('-': printed); vectors (safetensors), "
           "reports (HTML), pages (PNG, JPEG) and exported records written anew; of bench, train "
           "and "
           "other exports: the folder for them",
       .value = "FILE",
       .brief = "o",
       .flag_only = true,
       .same_answers = true}));
  set.add(own("gold", OptionType::text, kEval | kReport,
              {.help = "questions with the pages and answers that are right, or TREC qrels",
               .value = "FILE",
               .flag_only = true}));
  ProgramOption scorer = own(
      "scored-by", OptionType::text, kEval,
      {.help = "score items that carry their own reference, by the rules of a published "
               "evaluator (mmlongbench, longdocurl, opendocvqa, ...; an unknown name lists all)",
       .value = "NAME",
       .flag_only = true});
  scorer.flag = "scorer";
  set.add(std::move(scorer));
  set.add(own("qrels", OptionType::boolean, kEval,
              {.help = "print the right pages of --gold as TREC qrels instead of scoring a file",
               .flag_only = true}));
  set.add(own("questions", OptionType::text, kSearch,
              {.help = "search for every question of a file, JSON Lines or a question a line ('-': "
                       "standard input); hits carry its id",
               .value = "FILE",
               .flag_only = true}));
  set.add(own(
      "whole-store", OptionType::boolean, kSearch | kBatch | kBench,
      {.help = "search all documents, also for questions that name theirs", .flag_only = true}));
}

// Benchmarks.
void add_benchmarks(OptionSet& set) {
  set.add(own("data", OptionType::text, kBench,
              {.help = "the folder that the benchmark was unpacked into",
               .value = "FOLDER",
               .flag_only = true}));
  set.add(
      own("subset", OptionType::text, kBench,
          {.help = "the part of the questions: a data set of opendocvqa, a language of vidore, a "
                   "split of m3docvqa",
           .value = "NAME",
           .flag_only = true}));
  set.add(
      own("all-pool", OptionType::boolean, kBench,
          {.help = "opendocvqa: find pages in the pool of all its data sets", .flag_only = true}));
  set.add(own("judge", OptionType::text, kBench | kEval,
              {.help = "a model that judges answers, or extracts what the rules compare, where the "
                       "benchmark or scorer has that; as for --generator; unset: none",
               .value = "MODEL",
               .unset = true}));
  set.add(
      own("compare", OptionType::boolean, kBench,
          {.help = "compare two folders OUT/PIPELINE, question by question", .flag_only = true}));
}

// Which stores go.
void add_cleaning(OptionSet& set) {
  set.add(
      own("remove", OptionType::list, kStores,
          {.help = "remove the store of this folder or file (or of this name, as listed); can be "
                   "repeated",
           .value = "FOLDER",
           .flag_only = true}));
  set.add(own("older-than", OptionType::integer, kStores,
              {.help = "remove stores that were not used for so many days; unset: none",
               .value = "DAYS",
               .flag_only = true}));
  set.add(own("missing", OptionType::boolean, kStores,
              {.help = "remove stores whose folders are gone", .flag_only = true}));
}

// What models are given.
void add_what_models_are_given(OptionSet& set) {
  set.add(own("suggest", OptionType::boolean, kModels,
              {.help = "name published models that fit this machine, and how to download each",
               .flag_only = true}));
  set.add(session::session_options().options(), kGeneratingCommands | kTrain,
          {{"agent-generator", kSearchingCommands},
           {"retriever", kIndex | kWatch | kSearchingCommands | kEmbed | kDoctor | kTrain}});
  set.add(models::prefix_options().options(),
          kIndex | kWatch | kSearchingCommands | kEmbed | kDoctor);
  set.add(own("image", OptionType::list, kGenerate | kEmbed,
              {.help = "a page to look at: a PNG or JPEG file, or FILE#N, page N of a document; "
                       "can be repeated",
               .value = "FILE",
               .brief = "i",
               .flag_only = true}));
  set.add(own("text", OptionType::list, kEmbed,
              {.help = "a text to embed; can be repeated", .value = "TEXT", .flag_only = true}));
  set.add(own("role", OptionType::text, kEmbed,
              {.help = "what the texts are", .value = "ROLE", .flag_only = true}, "query",
              "query|passage"));
  set.add(own("reader", OptionType::text, kRead,
              {.help = "a model that points at answers in passages: its folder; reader: the one "
                       "that comes with the program",
               .value = "MODEL",
               .flag_only = true},
              models::kBuiltInReader));
  ProgramOption passages = own("passages", OptionType::text, kRead,
                               {.help = "questions with the passages to read, JSON Lines",
                                .value = "FILE",
                                .flag_only = true});
  passages.flag = "examples";
  set.add(std::move(passages));
  set.add(own("model", OptionType::text, kVerify,
              {.help = "the model of a case that only names its weights",
               .value = "DIR",
               .flag_only = true}));
  set.add(own("tolerance-factor", OptionType::real, kVerify,
              {.help = "multiplies every tolerance, as half precision needs",
               .value = "F",
               .flag_only = true},
              "1"));
  set.add(own("isa", OptionType::text, kVerify,
              {.help = "instructions of the cpu: those that the references were computed with "
                       "(AVX2), or all that "
                       "this machine has, allowing for their rounding",
               .value = "NAME",
               .flag_only = true},
              "reference", "reference|native"));
}

// What generators keep of the pages that they have read.
void add_what_is_kept(OptionSet& set) {
  set.add(serving::keep_options().options(), kAskingCommands);
  set.add(own("keep-states", OptionType::boolean, kGeneratingCommands,
              {.help = "keep it in the folder `states` of --store too, for later runs",
               .same_answers = true}));
  set.add(store::state_options().options(), kIndex | kWatch | kGeneratingCommands);
}

// What is written.
void add_writing(OptionSet& set) {
  set.add(own(
      "system", OptionType::text, kGenerate,
      {.help = "a system message instead of the model's own", .value = "TEXT", .flag_only = true}));
  set.add(own(
      "choose", OptionType::list, kGenerate,
      {.help =
           "score this reply against the others given so, instead of writing one; can be repeated",
       .value = "TEXT",
       .flag_only = true}));
  set.add(models::sampling_options().options(), kGenerate);
  set.add(own("schema", OptionType::text, kGenerate,
              {.help = "write JSON of this schema: a file that holds it, or the schema itself",
               .value = "JSON",
               .flag_only = true}));
}

// Servers.
void add_servers(OptionSet& set) {
  set.add(own(
      "api-key-file", OptionType::text, kAskingCommands,
      {.help =
           "the file that holds the key for the generator's server; unset: FINEPRINT_API_KEY or "
           "OPENAI_API_KEY in the environment, if any",
       .value = "FILE",
       .same_answers = true}));
  set.add(remote::openai_options().options(), kAskingCommands);
}

// Reading documents.
void add_reading(OptionSet& set) {
  set.add(documents::read_options().options(), kReadingCommands, {{"password", kPictureCommands}});
  set.add(own("password-file", OptionType::text, kPictureCommands,
              {.help = "passwords to try on encrypted documents, one a line; with a file name or "
                       "pattern and a tab "
                       "before it, only on those",
               .value = "FILE",
               .same_answers = true}));
  set.add(own("libreoffice", OptionType::text, kPictureCommands | kDoctor,
              {.help = "the program that makes PDFs of office files: auto looks for soffice, never "
                       "reads them as "
                       "running text",
               .value = "PROGRAM",
               .same_answers = true},
              "auto"));
  set.add(documents::worker_options().options(), kReadingCommands | kSearchingCommands);
  set.add(ingest::ingest_options().options(), kReadingCommands,
          {{"prune", kIndex}, {"map", kIndex | kWatch | kBench}});
  set.add(own("settle", OptionType::real, kWatch,
              {.help = "how long a file must not change before it is read",
               .value = "SECONDS",
               .bounds = {.least = 0},
               .flag_only = true},
              "2"));
  set.add(own("dry-run", OptionType::boolean, kIndex,
              {.help = "look at the documents and tell pages, pages for OCR, time and disk; write "
                       "nothing",
               .flag_only = true}));
  set.add(own("verify", OptionType::boolean, kIndex,
              {.help = "check the store for damage instead of indexing", .flag_only = true}));
  set.add(own("repair", OptionType::boolean, kIndex,
              {.help = "first drop what --verify finds damaged, then read those documents again, "
                       "and index PATH if "
                       "one is given",
               .flag_only = true}));
}

// Embedding pages.
void add_embedding(OptionSet& set) {
  set.add(own("drop-set", OptionType::list, kIndex,
              {.help = "first drop this vector set (text, page, late, late-text, late-2, ...) from "
                       "the store; can "
                       "be repeated",
               .value = "NAME",
               .flag_only = true}));
}

// Finding pages. Trainings have the masks of scores, too.
void add_finding(OptionSet& set) {
  std::map<std::string_view, unsigned> exceptions = {
      {"doc", kSearch | kAsk | kBatch | kTrain},
      {"scorer", kIndex | kWatch | kSearchingCommands},
      {"explain", kSearch}};
  for (const Option& option : score::mask_options().options()) {
    exceptions[option.name] = kSearchingCommands | kTrain;
  }
  set.add(retrieve::search_options().options(), kSearchingCommands, exceptions);
  set.add(session::document_filter_options().options(),
          kSearch | kAsk | kBatch | kList | kRemove | kExport);
}

// Named "train.NAME" in files, typed as --NAME.
void add_as_flags(const std::vector<Option>& options, OptionSet* set) {
  for (const Option& one : options) {
    ProgramOption option;
    static_cast<Option&>(option) = one;
    option.name = "train." + one.name;
    option.flag = one.name;
    option.commands = kTrain;
    set->add(std::move(option));
  }
}

// Training.
void add_training(OptionSet& set) {
  add_as_flags(train::training_options().options(), &set);
  add_as_flags(train::retriever_options().options(), &set);
  set.add(own("verdicts", OptionType::integer, kTrain,
              {.help = "of train verdicts: how many examples are made",
               .value = "N",
               .source = "MoLoRAG, appendix C: 3519",
               .flag_only = true},
              "3500"));
}

// What people look at.
void add_showing(OptionSet& set) {
  set.add(own("scores", OptionType::text, kReport,
              {.help = "what a scorer gave for the answers; unset: they are compared with --gold",
               .value = "FILE",
               .flag_only = true}));
  set.add(own("mark", OptionType::list, kShow,
              {.help = "a quote to mark on the picture of the page; can be repeated",
               .value = "QUOTE",
               .brief = "m",
               .flag_only = true}));
  set.add(own("html", OptionType::text, kAsk,
              {.help = "write the answer, its steps and its pages with the quotes marked as one "
                       "page of HTML, too",
               .value = "FILE",
               .flag_only = true,
               .same_answers = true}));
  set.add(report::report_options().options(), kReport, {{"dpi", kReport | kShow}});
}

// What search and show print, and export writes.
void add_printing(OptionSet& set) {
  ProgramOption pages = own("page-format", OptionType::text, kShow,
                            {.help = "the page's text as it is read, Markdown with tables, or a "
                                     "record with its elements",
                             .value = "FORMAT",
                             .flag_only = true},
                            "text", "text|markdown|json");
  pages.flag = "format";
  set.add(std::move(pages));
  ProgramOption forms = own("export-format", OptionType::text, kExport,
                            {.help = "jsonl: everything, as records; markdown: a file for each "
                                     "document; qdrant: a collection, and points to upload",
                             .value = "FORMAT",
                             .flag_only = true},
                            "jsonl", "jsonl|markdown|qdrant");
  forms.flag = "format";
  set.add(std::move(forms));
  set.add(own("set", OptionType::list, kExport,
              {.help = "the vectors to write (text, page, late, ...), or none; unset: all that the "
                       "store has; can be repeated",
               .value = "NAME",
               .flag_only = true}));
  set.add(own("format", OptionType::text, kSearch,
              {.help = "for people, JSON Lines, or a TREC run (with --questions); negatives: the "
                       "examples of a training that --questions names, with K more negatives each",
               .value = "FORMAT",
               .flag_only = true},
              "text", "text|json|trec|negatives"));
  set.add(own("run-tag", OptionType::text, kSearch,
              {.help = "the last field of a TREC run", .value = "TAG", .flag_only = true},
              "fineprint"));
}

// How others ask.
void add_serving(OptionSet& set) {
  set.add(server::server_options().options(), kServe,
          {{"at-once", kServingCommands}, {"time-limit", kServingCommands}});
  set.add(own("token-file", OptionType::text, kServe,
              {.help = "the file that holds the token which all who ask must show, as "
                       "Authorization: Bearer TOKEN",
               .value = "FILE",
               .same_answers = true}));
}

// Answering.
void add_answering(OptionSet& set) {
  ProgramOption pipeline =
      own("pipeline", OptionType::text, kAnsweringCommands,
          {.help = "how questions are answered, a preset of settings; `fineprint pipelines` lists "
                   "them; without it, where a generator is named: the simplest that asks it; bench "
                   "takes several",
           .value = "NAME"},
          "extractive");
  pipeline.several = kBench;
  set.add(std::move(pipeline));
  set.add(own("strict", OptionType::boolean, kAnsweringCommands,
              {.help = "end with an error where the store lacks the vectors of a page encoder, "
                       "instead of finding pages by bm25,text"}));
  set.add(agents::reader_options().options(), kAnsweringCommands,
          {{"prompts", kSearchingCommands | kTrain}});
  set.add(budget_options().options(), kSearchingCommands);
  set.add(own("trace", OptionType::boolean, kAnsweringCommands & ~kServingCommands,
              {.help = "put every step into the answer's record", .same_answers = true}));
  set.add(own(
      "workers", OptionType::integer, kBatch | kBench,
      {.help = "questions answered at a time; 0: one a core", .value = "N", .same_answers = true},
      "0"));
  set.add(own("shard", OptionType::text, kBatch | kBench | kIndex,
              {.help = "answer only part I of N of the questions; index only that part of the "
                       "documents",
               .value = "I/N|slurm|kubernetes/N",
               .flag_only = true,
               .same_answers = true},
              "1/1"));
  set.add(own("retry-failed", OptionType::boolean, kBatch | kBench | kIndex,
              {.help = "try again what failed before: questions whose recorded answer is an error, "
                       "files that could not be read and have not changed",
               .flag_only = true,
               .same_answers = true}));
  set.add(own("force", OptionType::boolean, kBatch | kBench,
              {.help = "go on in an answers file that was begun with other settings",
               .flag_only = true,
               .same_answers = true}));
  set.add(own("per-item", OptionType::boolean, kEval,
              {.help = "a line a question too", .flag_only = true}));
}

// The machine.
void add_machine(OptionSet& set) {
  set.add(models::device_options().options(), kModelCommands);
  set.add(own("seed", OptionType::integer, kAnsweringCommands | kGenerate | kTrain,
              {.help = "for whatever is drawn at random", .value = "N"}, "0"));
}

// What is said, and how.
void add_saying(OptionSet& set) {
  set.add(
      own("json", OptionType::boolean, kEveryCommand & ~kMcp,
          {.help = "results as JSON, one object a line; of commands that write a file: its counts",
           .flag_only = true,
           .same_answers = true}));
  set.add(own("quiet", OptionType::boolean, kEveryCommand,
              {.help = "say nothing but errors", .brief = "q", .same_answers = true}));
  set.add(own("verbose", OptionType::boolean, kEveryCommand,
              {.help = "say what is being done", .brief = "v", .same_answers = true}));
  set.add(own("debug", OptionType::boolean, kEveryCommand,
              {.help = "say everything", .same_answers = true}));
  set.add(own("config", OptionType::text, kEveryCommand,
              {.help = "a configuration file, read after the project's own",
               .value = "FILE",
               .flag_only = true,
               .same_answers = true}));
}

void add_pipelines(OptionSet& set) {
  for (const pipelines::Pipeline& pipeline : pipelines::all()) {
    set.begin_section(format("The method {}", pipeline.info.name));
    const bool finds = pipeline.finding.rank != nullptr;
    set.add(pipeline.options, finds ? kSearchingCommands : kAnsweringCommands, {},
            pipeline.info.name);
  }
}

// In the order of help.
struct Section {
  std::string_view heading;
  void (*add)(OptionSet&);
};
constexpr Section kSections[] = {{"What to work on", add_what_to_work_on},
                                 {"Benchmarks", add_benchmarks},
                                 {"Cleaning", add_cleaning},
                                 {"Models", add_what_models_are_given},
                                 {"What is kept of pages that were read", add_what_is_kept},
                                 {"Writing", add_writing},
                                 {"Servers", add_servers},
                                 {"Reading documents", add_reading},
                                 {"Vectors", add_embedding},
                                 {"Finding pages", add_finding},
                                 {"Training", add_training},
                                 {"Printing", add_printing},
                                 {"Showing", add_showing},
                                 {"Serving", add_serving},
                                 {"Answering", add_answering},
                                 {"The machine", add_machine},
                                 {"What is said", add_saying},
                                 {"Methods", add_pipelines}};

// What most people want of commands that have many options.
struct Common {
  std::string_view name;
  unsigned commands = 0;
};
constexpr unsigned kAsked = kAnsweringCommands;
constexpr unsigned kMany = kIndex | kSearchingCommands | kGenerate;
constexpr Common kCommon[] = {{"store", kMany & ~kGenerate},
                              {"out", kBatch | kBench},
                              {"data", kBench},
                              {"subset", kBench},
                              {"all-pool", kBench},
                              {"judge", kBench},
                              {"compare", kBench},
                              {"questions", kSearch},
                              {"generator", kAsked | kGenerate},
                              {"pipeline", kAsked},
                              {"retriever", kIndex | kBench},
                              {"image", kGenerate},
                              {"system", kGenerate},
                              {"schema", kGenerate},
                              {"choose", kGenerate},
                              {"max-new-tokens", kGenerate},
                              {"temperature", kGenerate},
                              {"ocr", kIndex | kAsk},
                              {"password", kIndex | kAsk},
                              {"prune", kIndex},
                              {"map", kIndex | kBench},
                              {"verify", kIndex},
                              {"dry-run", kIndex},
                              {"repair", kIndex},
                              {"scorer", kSearchingCommands},
                              {"k", kSearchingCommands},
                              {"doc", kSearch | kAsk | kBatch},
                              {"since", kSearch},
                              {"kind", kSearch},
                              {"explain", kSearch},
                              {"html", kAsk},
                              {"format", kSearch},
                              {"workers", kBatch | kBench},
                              {"shard", kBatch | kBench},
                              {"retry-failed", kBatch | kBench},
                              {"host", kServe},
                              {"port", kServe},
                              {"token-file", kServe},
                              {"at-once", kServingCommands},
                              {"time-limit", kServingCommands},
                              {"json", kMany},
                              {"quiet", kMany},
                              {"verbose", kMany},
                              {"config", kMany}};

// Whether all options of a command are soon read.
bool has_few(unsigned command) {
  constexpr std::ptrdiff_t kFew = 16;
  return std::ranges::count_if(options().all(), [&](const ProgramOption& option) {
           return (option.commands & command) != 0;
         }) <= kFew;
}

constexpr std::string_view kDefaultsHead =
    "# Every key that configuration files may hold, with its default.\n"
    "# Precedence: flags, FINEPRINT_* in the environment, --config FILE, ./fineprint.toml,\n"
    "# fineprint/config.toml in the user's configuration folder, the preset that `pipeline` names\n"
    "# (NAME.toml beside this file; for commands that answer), these defaults.\n"
    "# Settings of a pipeline are named NAME.KEY; KEY alone is enough while one pipeline has it.\n";

}  // namespace

const OptionSet& options() {
  static const OptionSet all = [] {
    OptionSet set;
    for (const Section& section : kSections) {
      set.begin_section(section.heading);
      section.add(set);
    }
    return set;
  }();
  return all;
}

std::string_view heading(const ProgramOption& option, unsigned command) {
  const bool common = has_few(command) || std::ranges::any_of(kCommon, [&](const Common& one) {
                        return one.name == option.name && (one.commands & command);
                      });
  return common ? kCommonHeading : std::string_view(option.section);
}

std::string default_configuration() {
  return settings::default_configuration(options(), kDefaultsHead);
}

}  // namespace fineprint::cli
