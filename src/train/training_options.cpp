// What may be set of trainings.
#include "fineprint/train/training.h"

namespace fineprint::train {

const OptionTable<TrainingOptions>& training_options() {
  using T = TrainingOptions;
  static const OptionTable<T> kTable =
      OptionTable<T>()
          .add("examples", &T::examples,
               {.help = "what is trained on, JSON Lines: {\"query\": TEXT, \"positive\": PASSAGE, "
                        "\"negatives\": [PASSAGE, ...]}, a passage being a text or {\"image\": "
                        "FILE}",
                .value = "FILE",
                .unset = true,
                .same_answers = true})
          .add(
              "held-back", &T::held_back,
              {.help = "more of them that are not trained on: how well their passages are found is "
                       "measured at the end",
               .value = "FILE",
               .unset = true,
               .same_answers = true})
          .add("epochs", &T::epochs,
               {.help = "passes over the examples", .value = "N", .bounds = {.least = 1}})
          .add("most-steps", &T::most_steps,
               {.help = "end after so many steps; 0: after the epochs",
                .value = "N",
                .bounds = {.least = 0}})
          .add("batch", &T::batch,
               {.help = "questions a step, each others' negatives",
                .value = "N",
                .source = "HKRAG, section 4",
                .bounds = {.least = 2}})
          .add("tokens-at-once", &T::tokens_at_once,
               {.help = "gradients are taken of so many tokens at a time, whatever the batch: "
                        "memory for time",
                .value = "N",
                .bounds = {.least = 1}})
          .add("rate", &T::rate,
               {.help = "the highest learning rate", .value = "R", .bounds = {.above = 0}})
          .add("warm-up", &T::warm_up,
               {.help = "share of the steps in which the rate rises; after them it falls to 0",
                .value = "SHARE",
                .bounds = {.least = 0, .most = 1}})
          .add("decay", &T::decay,
               OptionNames<Decay>{{"linear", Decay::linear}, {"cosine", Decay::cosine}},
               {.help = "how the rate falls after them", .value = "NAME"})
          .add("weight-decay", &T::weight_decay,
               {.help = "how much weights shrink a step, as AdamW has it",
                .value = "W",
                .bounds = {.least = 0}})
          .add("longest-step", &T::longest_step,
               {.help = "gradients that are longer are cut to this length; 0: never",
                .value = "L",
                .bounds = {.least = 0}})
          .add("save-every", &T::save_every,
               {.help = "steps after which a killed training could go on",
                .value = "N",
                .bounds = {.least = 1},
                .same_answers = true})
          .add("lora-rank", &T::lora_rank,
               {.help = "train low-rank changes (LoRA) of this rank; 0: every weight",
                .value = "N",
                .source = "HKRAG's code base (VDocRAG): 8",
                .bounds = {.least = 0}})
          .add("lora-alpha", &T::lora_alpha,
               {.help = "changes are scaled by this over the rank",
                .value = "A",
                .bounds = {.above = 0}})
          .add("lora-dropout", &T::lora_dropout,
               {.help = "share of a change's inputs that is left out at random",
                .value = "SHARE",
                .bounds = {.least = 0, .most = 0.9}})
          .add("lora-targets", &T::lora_targets,
               {.help = "last names of the modules that are changed", .value = "NAMES"});
  return kTable;
}

bool teaches_pages(RetrieverLoss loss) {
  using enum RetrieverLoss;
  return loss == retrieved || loss == generated || loss == compressed;
}

const OptionTable<RetrieverOptions>& retriever_options() {
  using R = RetrieverOptions;
  static const OptionTable<R> kTable =
      OptionTable<R>()
          .add("loss", &R::loss,
               OptionNames<RetrieverLoss>{{"infonce", RetrieverLoss::contrastive},
                                          {"din", RetrieverLoss::masked},
                                          {"sin", RetrieverLoss::parted},
                                          {"din+sin", RetrieverLoss::both},
                                          {"rcr", RetrieverLoss::retrieved},
                                          {"rcg", RetrieverLoss::generated},
                                          {"rcr+rcg", RetrieverLoss::compressed}},
               {.help = "infonce: pages as they are; din: masked, both ways; sin: by parts of the "
                        "masks; rcr, rcg: pages are found by their own texts, and these written "
                        "from the pages' vectors",
                .value = "NAME",
                .source = "HKRAG, Eq. 3 to 5; VDocRAG, section 4.1"})
          .add("temperature", &R::temperature,
               {.help = "similarities are divided by it",
                .value = "T",
                .source = "HKRAG, section 4",
                .bounds = {.above = 0}})
          .add("beta", &R::beta,
               {.help = "weight of sin beside din", .value = "B", .bounds = {.least = 0}})
          .add("mask-parts", &R::parts,
               {.help = "disjoint parts of a mask in sin",
                .value = "N",
                .source = "HKRAG, section 4",
                .bounds = {.least = 1}})
          .add("mask-negatives", &R::others,
               OptionNames<OthersMask>{{"own", OthersMask::own},
                                       {"pairwise", OthersMask::pairwise},
                                       {"anchor", OthersMask::anchor}},
               {.help = "the mask of pages that are others' in the batch: their own question's, "
                        "one for each pair, or that of the question with its own page",
                .value = "NAME"})
          .add("mask-partition", &R::parted,
               OptionNames<MaskParts>{{"support", MaskParts::support},
                                      {"all-dims", MaskParts::dimensions},
                                      {"blocks", MaskParts::blocks}},
               {.help = "what parts are made of: dimensions that the mask keeps, all, or ranges",
                .value = "NAME"})
          .add("mask-partition-scope", &R::parts_of_batch,
               OptionNames<bool>{{"pair", false}, {"batch", true}},
               {.help = "whether each pair is parted by itself", .value = "NAME"})
          .add("mask-gradient", &R::mask_gradient,
               OptionNames<bool>{{"stop", false}, {"through", true}},
               {.help = "through: gradients take a mask's steps for sigmoids", .value = "NAME"})
          .add("hard-negatives", &R::hard_negatives,
               {.help = "of an example's negatives, so many are drawn each time",
                .value = "N",
                .bounds = {.least = 0}})
          .add("text-tokens", &R::text_tokens,
               {.help = "of the text that stands on a page, in rcr and rcg: the first N tokens",
                .value = "N",
                .source = "VDocRAG's code",
                .bounds = {.least = 1}});
  return kTable;
}

}  // namespace fineprint::train
