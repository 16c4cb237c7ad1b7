// The options of training.
#include "fineprint/train/training.h"

namespace fineprint::train {

const OptionTable<TrainingOptions>& training_options() {
  using T = TrainingOptions;
  // Options with `same_answers` change only speed or output, so they are not part of the training's
  // identity: a checkpoint continues if they change.
  static const OptionTable<T> kTable =
      OptionTable<T>()
          .add("examples", &T::examples,
               {.help = "the examples to train on, JSON Lines: {\"query\": TEXT, \"positive\": "
                        "PASSAGE or a list of passages that are taught in turn, \"negatives\": "
                        "[PASSAGE, ...]}, where a passage is a text or "
                        "{\"image\": FILE}",
                .value = "FILE",
                .unset = true,
                .same_answers = true})
          .add("held-back", &T::held_back,
               {.help = "examples that are not trained on: at the end, the model is measured on "
                        "them",
                .value = "FILE",
                .unset = true,
                .same_answers = true})
          .add("epochs", &T::epochs,
               {.help = "number of passes over the examples", .value = "N", .bounds = {.least = 1}})
          .add("most-steps", &T::most_steps,
               {.help = "end after this many steps; 0: after all epochs",
                .value = "N",
                .bounds = {.least = 0}})
          .add("batch", &T::batch,
               {.help = "questions in each step, which are each other's negatives",
                .value = "N",
                .source = "HKRAG, section 4",
                .bounds = {.least = 2}})
          .add(
              "tokens-at-once", &T::tokens_at_once,
              {.help = "how many tokens to compute gradients for at a time: less needs less memory "
                       "and more time",
               .value = "N",
               .bounds = {.least = 1}})
          .add("rate", &T::rate,
               {.help = "the highest learning rate", .value = "R", .bounds = {.above = 0}})
          .add("warm-up", &T::warm_up,
               {.help = "the share of steps in which the rate rises; after them it falls to 0",
                .value = "SHARE",
                .bounds = {.least = 0, .most = 1}})
          .add("decay", &T::decay,
               OptionNames<Decay>{{"linear", Decay::linear}, {"cosine", Decay::cosine}},
               {.help = "how the rate falls after the warm-up", .value = "NAME"})
          .add("weight-decay", &T::weight_decay,
               {.help = "how much weights shrink in each step, as defined by AdamW",
                .value = "W",
                .bounds = {.least = 0}})
          .add("longest-step", &T::longest_step,
               {.help = "cut longer gradients to this length; 0: never",
                .value = "L",
                .bounds = {.least = 0}})
          .add("save-every", &T::save_every,
               {.help =
                    "how many steps between checkpoints, from which a stopped training continues",
                .value = "N",
                .bounds = {.least = 1},
                .same_answers = true})
          .add("lora-rank", &T::lora_rank,
               {.help = "train low-rank changes of this rank (LoRA); 0: all weights",
                .value = "N",
                .source = "HKRAG's code base (VDocRAG): 8",
                .bounds = {.least = 0}})
          .add("lora-alpha", &T::lora_alpha,
               {.help = "scale low-rank changes by this number divided by the rank",
                .value = "A",
                .bounds = {.above = 0}})
          .add("lora-dropout", &T::lora_dropout,
               {.help = "the share of a low-rank change's inputs to drop at random",
                .value = "SHARE",
                .bounds = {.least = 0, .most = 0.9}})
          .add("lora-targets", &T::lora_targets,
               {.help = "the last names of the modules that low-rank changes apply to",
                .value = "NAMES"});
  return kTable;
}

namespace {

const OptionNames<RetrieverLoss> kLosses = {
    {"infonce", RetrieverLoss::contrastive}, {"din", RetrieverLoss::masked},
    {"sin", RetrieverLoss::parted},          {"din+sin", RetrieverLoss::both},
    {"rcr", RetrieverLoss::retrieved},       {"rcg", RetrieverLoss::generated},
    {"rcr+rcg", RetrieverLoss::compressed}};

}  // namespace

std::string_view name_of(RetrieverLoss loss) {
  for (const auto& [name, value] : kLosses) {
    if (value == loss) return name;
  }
  return "unknown";
}

bool trains_mask(RetrieverLoss loss) {
  using enum RetrieverLoss;
  return loss == masked || loss == parted || loss == both;
}

bool teaches_pages(RetrieverLoss loss) {
  using enum RetrieverLoss;
  return loss == retrieved || loss == generated || loss == compressed;
}

const OptionTable<RetrieverOptions>& retriever_options() {
  using R = RetrieverOptions;
  static const OptionTable<R> kTable =
      OptionTable<R>()
          .add("loss", &R::loss, kLosses,
               {.help = "the loss: infonce (pages as they are), din (masked pages, in both "
                        "directions), sin (parts of the masks), or rcr and rcg (pages are found by "
                        "their own texts, and these are written from the pages' vectors)",
                .value = "NAME",
                .source = "HKRAG, Eq. 3 to 5; VDocRAG, section 4.1"})
          .add("temperature", &R::temperature,
               {.help = "divide similarities by this number",
                .value = "T",
                .source = "HKRAG, section 4",
                .bounds = {.above = 0}})
          .add("beta", &R::beta,
               {.help = "the weight of sin in din+sin", .value = "B", .bounds = {.least = 0}})
          .add("mask-parts", &R::parts,
               {.help = "how many disjoint parts a mask has in sin",
                .value = "N",
                .source = "HKRAG, section 4",
                .bounds = {.least = 1}})
          .add("mask-negatives", &R::others,
               OptionNames<OthersMask>{{"own", OthersMask::own},
                                       {"pairwise", OthersMask::pairwise},
                                       {"anchor", OthersMask::anchor}},
               {.help = "the mask of other questions' pages in the batch: with their own question, "
                        "one for each pair, or that of the question with its own page",
                .value = "NAME"})
          .add("mask-partition", &R::parted,
               OptionNames<MaskParts>{{"support", MaskParts::support},
                                      {"all-dims", MaskParts::dimensions},
                                      {"blocks", MaskParts::blocks}},
               {.help = "what parts are made of: the dimensions that the mask keeps, all "
                        "dimensions, or ranges of them",
                .value = "NAME"})
          .add("mask-partition-scope", &R::parts_of_batch,
               OptionNames<bool>{{"pair", false}, {"batch", true}},
               {.help = "whether each mask is divided separately or all masks of a batch in the "
                        "same way",
                .value = "NAME"})
          .add("mask-gradient", &R::mask_gradient,
               OptionNames<bool>{{"stop", false}, {"through", true}},
               {.help = "whether gradients pass through the masks, with sigmoids in place of steps",
                .value = "NAME"})
          .add("hard-negatives", &R::hard_negatives,
               {.help = "how many of an example's negatives to draw in each step",
                .value = "N",
                .bounds = {.least = 0}})
          .add("text-tokens", &R::text_tokens,
               {.help = "how many tokens of a page's text rcr and rcg use, from its beginning",
                .value = "N",
                .source = "VDocRAG's code",
                .bounds = {.least = 1}});
  return kTable;
}

}  // namespace fineprint::train
