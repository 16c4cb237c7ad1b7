// The sections of options about documents, searches, answers and printing.
#include "cli/option_groups.h"

#include <map>
#include <string>
#include <utility>

#include "fineprint/agents/answer.h"
#include "fineprint/bench/benchmark.h"
#include "fineprint/core/budget.h"
#include "fineprint/core/option.h"
#include "fineprint/documents/document_workers.h"
#include "fineprint/documents/fetching.h"
#include "fineprint/ingest/ingest.h"
#include "fineprint/models/device.h"
#include "fineprint/pipelines/pipeline.h"
#include "fineprint/report/report.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/score/hybrid_mask.h"
#include "fineprint/server/server_options.h"
#include "fineprint/session/document_filter.h"

namespace fineprint::cli {
namespace {

// Commands that may open documents to show or read their pages.
constexpr unsigned kPictureCommands =
    kReadingCommands | kSearchingCommands | kGenerate | kEmbed | kReport | kShow | kTrain;

}  // namespace

ProgramOption program_option(std::string_view name, OptionType type, unsigned commands,
                             const OptionFacts& facts, std::string_view initial,
                             std::string_view choices) {
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

// Inputs and outputs.
void add_what_to_work_on(OptionSet& set) {
  ProgramOption store =
      program_option("store", OptionType::text,
                     kIndex | kSearchingCommands | kGenerate | kDoctor | kMap | kReport | kShow |
                         kTrain | kList | kRemove | kExport | kWatch,
                     {.help = "the folder of the store (the index); search, ask and batch accept "
                              "several and join them",
                      .value = "DIR",
                      .brief = "s",
                      .same_answers = true});
  // Only commands that read may be given several stores, because these are joined into a copy.
  store.several = kSearch | kAsk | kChat | kBatch;
  set.add(std::move(store));
  set.add(program_option(
      "out", OptionType::text,
      kBatch | kTable | kBench | kEmbed | kReport | kShow | kTrain | kExport,
      {.help =
           "the file for the results: batch appends answers ('-': print them); tables (.csv, "
           ".xlsx, .html, .jsonl), vectors (safetensors), reports (HTML), pages (PNG, JPEG) and "
           "exported records replace it; for bench, train and other exports: a folder",
       .value = "FILE",
       .brief = "o",
       .flag_only = true,
       .same_answers = true}));
  set.add(program_option("gold", OptionType::text, kEval | kReport,
                         {.help = "the questions with gold pages and gold answers, or TREC qrels",
                          .value = "FILE",
                          .flag_only = true}));
  ProgramOption scorer = program_option(
      "scored-by", OptionType::text, kEval,
      {.help = "score items that carry their own reference by the rules of a published evaluator "
               "(mmlongbench, longdocurl, opendocvqa, ...; an unknown name prints the list)",
       .value = "NAME",
       .flag_only = true});
  // Searches have an option --scorer as well. Its key in files is taken, so this one has another
  // name, and only the flag is the same.
  scorer.flag = "scorer";
  set.add(std::move(scorer));
  set.add(program_option(
      "qrels", OptionType::boolean, kEval,
      {.help = "print the gold pages of --gold as TREC qrels instead of scoring a file",
       .flag_only = true}));
  set.add(program_option(
      "questions", OptionType::text, kSearch,
      {.help = "search for every question of a file: JSON Lines, or one question a line "
               "('-': standard input); each hit carries the question's id",
       .value = "FILE",
       .flag_only = true}));
  set.add(program_option(
      "whole-store", OptionType::boolean, kSearch | kBatch | kBench,
      {.help = "search all documents, even if a question names its own", .flag_only = true}));
}

namespace {

// Tables of papers, which name benchmarks and pipelines themselves.
void add_experiments(OptionSet& set) {
  set.add(program_option(
      "experiment", OptionType::text, kBench,
      {.help = "run a table or figure of a paper: a name that --list-experiments prints, or a TOML "
               "file; --data then has a folder for each benchmark, named like it, and --store the "
               "stores, which otherwise are in OUT/stores",
       .value = "NAME",
       .flag_only = true}));
  set.add(program_option(
      "list-experiments", OptionType::boolean, kBench,
      {.help = "list the experiments, with the data, models and GPU hours that each needs",
       .flag_only = true}));
  // `verify` has an option --model, too. Its key is taken, so this one has another name, and only
  // the flag is the same.
  ProgramOption model = program_option(
      "experiment-model", OptionType::list, kBench,
      {.help =
           "with --experiment, ROLE=MODEL: the model that takes this role of the experiment, in "
           "the forms of --generator or --retriever; can be repeated",
       .value = "ROLE=MODEL",
       .flag_only = true});
  model.flag = "model";
  set.add(std::move(model));
  set.add(program_option(
      "partial", OptionType::boolean, kBench,
      {.help = "with --experiment, fill the cells whose data and models are there; the table says "
               "why the others are empty",
       .flag_only = true}));
}

}  // namespace

// Benchmarks.
void add_benchmarks(OptionSet& set) {
  set.add(program_option("data", OptionType::text, kBench | kTrain,
                         {.help = "the folder that contains the unpacked benchmark",
                          .value = "FOLDER",
                          .flag_only = true}));
  set.add(program_option(
      "subset", OptionType::text, kBench | kTrain,
      {.help = "a part of the questions: a data set of opendocvqa, a language of vidore, or a "
               "split of m3docvqa; train questions without it: all data sets in the folder",
       .value = "NAME",
       .flag_only = true}));
  set.add(program_option(
      "all-pool", OptionType::boolean, kBench | kTrain,
      {.help = "for opendocvqa, search the pages of all its data sets", .flag_only = true}));
  set.add(program_option(
      "judge", OptionType::text, kBench | kEval,
      {.help = "a model that judges answers, or extracts the values that the rules compare, "
               "if the benchmark or scorer uses one; takes the same forms as --generator; "
               "unset: none",
       .value = "MODEL",
       .unset = true}));
  add_experiments(set);
  set.add(program_option(
      "judge-kind", OptionType::text, kBench,
      {.help = "what the judge is asked: paper means what the benchmark's paper asks; otherwise "
               "whether the answer is right (binary), a grade from 1 to 5, or the short answer, "
               "which the rules then compare (extract)",
       .value = "KIND",
       .flag_only = true},
      "paper", bench::kJudgeChoices));
  set.add(program_option(
      "sample", OptionType::integer, kBench,
      {.help =
           "ask only N questions, drawn at random with --seed; all pipelines get the same ones; "
           "unset: all questions",
       .value = "N",
       .bounds = {.least = 1},
       .flag_only = true}));
  set.add(program_option(
      "compare", OptionType::boolean, kBench,
      {.help = "compare the results in two folders OUT/PIPELINE, question by question",
       .flag_only = true}));
  set.add(program_option(
      "split", OptionType::text, kBench,
      {.help = "with --compare, only the questions of one group: reflected, uncertain or rounds=N "
               "in either folder, as results.md names them; unset: all questions",
       .value = "NAME[=VALUE]",
       .flag_only = true}));
}

// Which stores to remove.
void add_cleaning(OptionSet& set) {
  set.add(program_option(
      "remove", OptionType::list, kStores,
      {.help = "remove the store of this folder or file, or with this name from the list; can "
               "be repeated",
       .value = "FOLDER",
       .flag_only = true}));
  set.add(
      program_option("older-than", OptionType::integer, kStores,
                     {.help = "remove stores that were not used for this many days; unset: none",
                      .value = "DAYS",
                      .flag_only = true}));
  set.add(
      program_option("missing", OptionType::boolean, kStores,
                     {.help = "remove stores whose folders no longer exist", .flag_only = true}));
}

// Which settings files are trusted.
void add_trusting(OptionSet& set) {
  set.add(program_option(
      "list", OptionType::boolean, kTrust,
      {.help = "list the trusted files, and which of them have changed since", .flag_only = true}));
  // `stores` has an option --remove as well, for stores.
  ProgramOption untrust =
      program_option("untrust", OptionType::list, kTrust,
                     {.help = "no longer trust the file of this folder; can be repeated",
                      .value = "FOLDER",
                      .flag_only = true});
  untrust.flag = "remove";
  set.add(std::move(untrust));
}

// Reading documents.
void add_reading(OptionSet& set) {
  set.add(documents::read_options().options(), kReadingCommands, {{"password", kPictureCommands}});
  set.add(program_option(
      "password-file", OptionType::text, kPictureCommands,
      {.help = "a file of passwords to try on encrypted documents, one a line; a file name "
               "or pattern and a tab before the password limit it to those documents",
       .value = "FILE",
       .same_answers = true}));
  set.add(program_option("libreoffice", OptionType::text, kPictureCommands | kDoctor,
                         {.help = "the program that converts office files to PDF: auto looks for "
                                  "soffice; with never, only their running text is read",
                          .value = "PROGRAM",
                          .same_answers = true},
                         "auto"));
  set.add(documents::worker_options().options(), kReadingCommands | kSearchingCommands);
  set.add(ingest::ingest_options().options(), kReadingCommands,
          {{"prune", kIndex}, {"map", kIndex | kWatch | kBench}});
  set.add(program_option("settle", OptionType::real, kWatch | kTable,
                         {.help = "how long a file must stay unchanged before it is read",
                          .value = "SECONDS",
                          .bounds = {.least = 0},
                          .flag_only = true},
                         "2"));
  set.add(
      program_option("dry-run", OptionType::boolean, kIndex,
                     {.help = "estimate pages, pages for OCR, time and disk space; write nothing",
                      .flag_only = true}));
  set.add(program_option(
      "verify", OptionType::boolean, kIndex,
      {.help = "check the store for damage instead of indexing", .flag_only = true}));
  set.add(program_option(
      "repair", OptionType::boolean, kIndex,
      {.help = "remove what --verify finds damaged, read those documents again, and index "
               "PATH if it is given",
       .flag_only = true}));
}

// Documents elsewhere.
void add_fetching(OptionSet& set) {
  set.add(documents::fetch_options().options(), kFetchingCommands);
}

// Embedding pages.
void add_embedding(OptionSet& set) {
  set.add(program_option(
      "drop-set", OptionType::list, kIndex,
      {.help = "first remove this vector set (text, page, late, late-text, late-2, ...) "
               "from the store; can be repeated",
       .value = "NAME",
       .flag_only = true}));
}

// Finding pages. Training uses the options of score masks, too.
void add_finding(OptionSet& set) {
  std::map<std::string_view, unsigned> exceptions = {
      {"doc", kSearch | kAsk | kChat | kBatch | kTable | kTrain},
      {"scorer", kIndex | kWatch | kSearchingCommands},
      {"gold-pages", kAnsweringCommands & ~kTable},
      {"explain", kSearch}};
  // Losses of trainings mask pages by the same rules as the scorer, and so take the same options.
  for (const Option& option : score::mask_options().options()) {
    exceptions[option.name] = kSearchingCommands | kTrain;
  }
  set.add(retrieve::search_options().options(), kSearchingCommands, exceptions);
  set.add(session::document_filter_options().options(),
          kSearch | kAsk | kChat | kBatch | kTable | kList | kRemove | kExport);
}

// Reports and pictures of pages.
void add_showing(OptionSet& set) {
  set.add(program_option(
      "scores", OptionType::text, kReport,
      {.help = "the scores that a scorer gave the answers; unset: compare the answers with --gold",
       .value = "FILE",
       .flag_only = true}));
  set.add(program_option("mark", OptionType::list, kShow,
                         {.help = "a quote to mark on the picture of the page; can be repeated",
                          .value = "QUOTE",
                          .brief = "m",
                          .flag_only = true}));
  set.add(program_option("hidden", OptionType::boolean, kShow,
                         {.help = "print only the text that the file holds but its pages do not "
                                  "show",
                          .flag_only = true}));
  set.add(program_option(
      "html", OptionType::text, kAsk,
      {.help = "also write the answer, its steps and its pages with quotes marked to one "
               "HTML file",
       .value = "FILE",
       .flag_only = true,
       .same_answers = true}));
  set.add(report::report_options().options(), kReport | kTable,
          {{"dpi", kReport | kTable | kShow}});
}

// The files of `table`.
void add_tables(OptionSet& set) {
  set.add(program_option(
      "sure", OptionType::real, kTable,
      {.help = "leave a cell empty if the probability that its value is right is below this; asks "
               "nothing again; unset: 0.9, or 0.5 with a generator",
       .value = "P",
       .bounds = {.least = 0, .most = 1},
       .unset = true,
       .same_answers = true}));
  set.add(program_option(
      "proofs", OptionType::boolean, kTable,
      {.help = "add columns with the page, the quote, the printed value and the confidence of each "
               "cell to a .csv",
       .flag_only = true,
       .same_answers = true}));
  set.add(program_option("watch", OptionType::boolean, kTable,
                         {.help = "keep the table up to date while files arrive and change, until "
                                  "Ctrl-C",
                          .flag_only = true,
                          .same_answers = true}));
}

// The formats of search, show and export.
void add_printing(OptionSet& set) {
  ProgramOption pages =
      program_option("page-format", OptionType::text, kShow,
                     {.help = "how to print a page: its text, Markdown with tables, or a "
                              "record with its elements",
                      .value = "FORMAT",
                      .flag_only = true},
                     "text", "text|markdown|json");
  // Three commands print in formats of their own. Each has an option with its own choices under the
  // one flag that people expect.
  pages.flag = "format";
  set.add(std::move(pages));
  ProgramOption forms = program_option(
      "export-format", OptionType::text, kExport,
      {.help = "what to write: everything as records (jsonl), one file for each "
               "document (markdown), a collection and points to upload (qdrant), or the vectors "
               "into a PostgreSQL database, whose address --out has (pgvector)",
       .value = "FORMAT",
       .flag_only = true},
      "jsonl", "jsonl|markdown|qdrant|pgvector");
  forms.flag = "format";
  set.add(std::move(forms));
  set.add(program_option(
      "set", OptionType::list, kExport,
      {.help = "the vectors to write (text, page, late, ...), or none; unset: all vectors "
               "of the store; can be repeated",
       .value = "NAME",
       .flag_only = true}));
  set.add(program_option(
      "format", OptionType::text, kSearch,
      {.help = "text for people, JSON Lines, or a TREC run (with --questions); negatives: "
               "the training examples that --questions names, each with K more negatives",
       .value = "FORMAT",
       .flag_only = true},
      "text", "text|json|trec|negatives"));
  set.add(program_option(
      "run-tag", OptionType::text, kSearch,
      {.help = "the tag in the last field of a TREC run", .value = "TAG", .flag_only = true},
      "fineprint"));
}

// Serving others.
void add_serving(OptionSet& set) {
  set.add(server::server_options().options(), kServe,
          {{"at-once", kServingCommands}, {"time-limit", kServingCommands}});
  set.add(program_option(
      "token-file", OptionType::text, kServe,
      {.help = "a file with the token that every request must carry, as Authorization: "
               "Bearer TOKEN",
       .value = "FILE",
       .same_answers = true}));
}

// Answering.
void add_answering(OptionSet& set) {
  ProgramOption pipeline = program_option(
      "pipeline", OptionType::text, kAnsweringCommands,
      {.help = "how to answer questions: a preset of settings from `fineprint pipelines`; "
               "unset, with a generator: the simplest that asks it; bench takes several",
       .value = "NAME"},
      "extractive");
  // A benchmark compares pipelines, so it takes a list; all other commands answer by one.
  pipeline.several = kBench;
  set.add(std::move(pipeline));
  set.add(program_option(
      "gate", OptionType::text, kAnsweringCommands,
      {.help = "the preset that answers instead if the answer of --pipeline is uncertain, which "
               "HKRAG's Judger measures (its options judger-*); unset: none",
       .value = "NAME"}));
  set.add(program_option(
      "reflect", OptionType::boolean, kAnsweringCommands,
      {.help = "if the answer leaves out a part of the question, as DMAP's Reflect judges it, "
               "search for that part too and answer again; one call, and those of the second "
               "answer"}));
  set.add(program_option(
      "check", OptionType::text, kAnsweringCommands,
      {.help = "compare what a generator answers with the pages: cite the words that prove it, say "
               "how probably it is right, give the quote that is more probably right, and decline "
               "if the documents hold no answer; no further calls",
       .value = "on|off"},
      "on", "on|off"));
  set.add(program_option(
      "strict", OptionType::boolean, kAnsweringCommands,
      {.help = "fail if the store lacks the vectors of a page encoder, instead of finding "
               "pages by bm25,text"}));
  set.add(pipelines::qa_options().options(), kAnsweringCommands);
  set.add(agents::answer_options().options(), kAnsweringCommands,
          {{"prompts", kSearchingCommands | kTrain}});
  set.add(budget_options().options(), kSearchingCommands);
  set.add(
      program_option("trace", OptionType::boolean, kAnsweringCommands & ~kServingCommands,
                     {.help = "write every step into the answer's record", .same_answers = true}));
  set.add(
      program_option("workers", OptionType::integer, kBatch | kTable | kBench,
                     {.help = "how many questions to answer at the same time; 0: one for each core",
                      .value = "N",
                      .same_answers = true},
                     "0"));
  set.add(program_option(
      "shard", OptionType::text, kBatch | kTable | kBench | kIndex,
      {.help = "answer only part I of N of the questions; of the documents, for index and table",
       .value = "I/N|slurm|kubernetes/N",
       .flag_only = true,
       .same_answers = true},
      "1/1"));
  set.add(program_option(
      "retry-failed", OptionType::boolean, kBatch | kTable | kBench | kIndex,
      {.help = "retry what failed before: questions whose recorded answer is an error, or "
               "unchanged files that could not be read",
       .flag_only = true,
       .same_answers = true}));
  set.add(program_option("force", OptionType::boolean, kBatch | kTable | kBench,
                         {.help = "continue an answers file that was begun with other settings",
                          .flag_only = true,
                          .same_answers = true}));
  set.add(program_option("per-item", OptionType::boolean, kEval,
                         {.help = "print one line for each question, too", .flag_only = true}));
}

// The machine.
void add_machine(OptionSet& set) {
  set.add(models::device_options().options(), kModelCommands);
  set.add(program_option("seed", OptionType::integer, kAnsweringCommands | kGenerate | kTrain,
                         {.help = "the seed of all random choices", .value = "N"}, "0"));
}

// Messages and configuration.
void add_saying(OptionSet& set) {
  set.add(program_option(
      "json", OptionType::boolean, kEveryCommand & ~kMcp,
      {.help = "print results as JSON, one object a line; commands that write a file print counts",
       .flag_only = true,
       .same_answers = true}));
  set.add(program_option("quiet", OptionType::boolean, kEveryCommand,
                         {.help = "print only errors", .brief = "q", .same_answers = true}));
  set.add(program_option("verbose", OptionType::boolean, kEveryCommand,
                         {.help = "print each step", .brief = "v", .same_answers = true}));
  set.add(program_option("debug", OptionType::boolean, kEveryCommand,
                         {.help = "print everything, for debugging", .same_answers = true}));
  set.add(program_option("config", OptionType::text, kEveryCommand,
                         {.help = "a configuration file, which overrides ./fineprint.toml",
                          .value = "FILE",
                          .flag_only = true,
                          .same_answers = true}));
}

}  // namespace fineprint::cli
