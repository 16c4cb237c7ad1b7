// The sections of options about models and their training.
#include <string>
#include <utility>
#include <vector>

#include "fineprint/models/generator.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/models/prefixes.h"
#include "fineprint/remote/openai_generator.h"
#include "fineprint/serving/prefix_cache.h"
#include "fineprint/session/context.h"
#include "fineprint/store/prefix_folder.h"
#include "fineprint/train/training.h"

#include "cli/option_groups.h"

namespace fineprint::cli {
namespace {

// Commands that may ask a generator.
constexpr unsigned kAskingCommands = kGeneratingCommands | kIndex | kWatch | kTrain;

// Commands that may ask a model on a server: a generator, an encoder or a reranker.
constexpr unsigned kServerCommands = kAskingCommands | kEmbed | kDoctor;

// In files these options are named "train.NAME"; on the command line, --NAME.
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

}  // namespace

// Models and their inputs.
void add_what_models_are_given(OptionSet& set) {
  set.add(program_option(
      "suggest", OptionType::boolean, kModels,
      {.help = "list published models that fit this machine, with the command that downloads each",
       .flag_only = true}));
  set.add(session::session_options().options(), kGeneratingCommands | kTrain,
          {{"agent-generator", kSearchingCommands},
           {"retriever", kIndex | kWatch | kSearchingCommands | kEmbed | kDoctor | kTrain}});
  set.add(models::prefix_options().options(),
          kIndex | kWatch | kSearchingCommands | kEmbed | kDoctor);
  set.add(program_option(
      "image", OptionType::list, kGenerate | kEmbed | kAsk | kSearch,
      {.help = "a page to look at: a PNG or JPEG file, or FILE#N for page N of a document; for ask "
               "and search, a picture that the question is about: a photo, a screenshot, a part of "
               "a page; can be repeated",
       .value = "FILE",
       .brief = "i",
       .flag_only = true}));
  set.add(program_option(
      "text", OptionType::list, kEmbed,
      {.help = "a text to embed; can be repeated", .value = "TEXT", .flag_only = true}));
  set.add(program_option("role", OptionType::text, kEmbed,
                         {.help = "whether the texts are queries or passages of documents",
                          .value = "ROLE",
                          .flag_only = true},
                         "query", "query|passage"));
  ProgramOption qa_model =
      program_option("qa-model", OptionType::text, kRead,
                     {.help = "the QA model that points at answers in passages: its folder, or "
                              "reader for the one that comes with the program",
                      .value = "MODEL",
                      .flag_only = true},
                     models::kBuiltInQaModel);
  // `ask` has an option --qa as well, with another default: there, no model is a choice.
  qa_model.flag = "qa";
  set.add(std::move(qa_model));
  ProgramOption passages =
      program_option("passages", OptionType::text, kRead,
                     {.help = "the questions with the passages to read, as JSON Lines",
                      .value = "FILE",
                      .flag_only = true});
  // Trainings have an option --examples as well, for files of another form.
  passages.flag = "examples";
  set.add(std::move(passages));
  set.add(program_option("model", OptionType::text, kVerify,
                         {.help = "the model folder of a case that only names its weights",
                          .value = "DIR",
                          .flag_only = true}));
  set.add(program_option("tolerance-factor", OptionType::real, kVerify,
                         {.help = "multiply every tolerance by this factor, for half precision",
                          .value = "F",
                          .flag_only = true},
                         "1"));
  set.add(program_option(
      "isa", OptionType::text, kVerify,
      {.help = "CPU instructions: the set that the references were computed with (AVX2; "
               "NEON on ARM), or all that this machine has, allowing for their rounding",
       .value = "NAME",
       .flag_only = true},
      "reference", "reference|native"));
}

// What generators keep of the pages that they have read.
void add_what_is_kept(OptionSet& set) {
  set.add(serving::prefix_cache_options().options(), kAskingCommands);
  set.add(serving::lookup_options().options(), kAskingCommands);
  set.add(program_option(
      "keep-states", OptionType::boolean, kGeneratingCommands,
      {.help = "keep the prefix cache in the folder `states` of --store, too, for later runs",
       .same_answers = true}));
  set.add(store::prefix_folder_options().options(), kIndex | kWatch | kGeneratingCommands);
}

// How replies are written.
void add_writing(OptionSet& set) {
  set.add(program_option("system", OptionType::text, kGenerate,
                         {.help = "a system message that replaces the model's own",
                          .value = "TEXT",
                          .flag_only = true}));
  set.add(program_option(
      "raw", OptionType::boolean, kGenerate,
      {.help = "continue PROMPT as it is, special tokens included, without the chat template: for "
               "base models, which have none",
       .flag_only = true}));
  set.add(program_option(
      "choose", OptionType::list, kGenerate,
      {.help = "score this reply against the others given with --choose instead of writing one; "
               "can be repeated",
       .value = "TEXT",
       .flag_only = true}));
  set.add(models::sampling_options().options(), kGenerate);
  set.add(program_option(
      "schema", OptionType::text, kGenerate,
      {.help = "write JSON that fits this schema: a file with the schema, or the schema itself",
       .value = "JSON",
       .flag_only = true}));
}

// Servers.
void add_servers(OptionSet& set) {
  set.add(
      program_option("api-key-file", OptionType::text, kServerCommands,
                     {.help = "the file with the API key for the servers that options name; unset: "
                              "FINEPRINT_API_KEY or OPENAI_API_KEY in the environment, if set",
                      .value = "FILE",
                      .same_answers = true}));
  // Doctor asks an encoder for the vector of a text, and for no picture's.
  set.add(remote::openai_options().options(), kServerCommands,
          {{"api-image", kServerCommands & ~kDoctor}});
}

// Training.
void add_training(OptionSet& set) {
  add_as_flags(train::training_options().options(), &set);
  add_as_flags(train::retriever_options().options(), &set);
  set.add(program_option(
      "verdicts", OptionType::integer, kTrain,
      {.help = "how many examples train verdicts, or questions train corpus-questions, makes",
       .value = "N",
       .source = "MoLoRAG, appendix C: 3519",
       .flag_only = true},
      "3500"));
}

}  // namespace fineprint::cli
