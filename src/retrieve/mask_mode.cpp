// Chooses how the hybrid mask scores pages. HKRAG uses the mask in its losses (section 3.2, Eq. 4
// and 5). Vectors that were not trained with it gain nothing from being masked.
#include "retrieve/mask_mode.h"

#include <algorithm>
#include <string>

#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/models/encoder.h"

#include "retrieve/chosen_scorer.h"

namespace fineprint::retrieve {
namespace {

using score::MaskMode;

// Returns the first of the sets whose encoder was not trained with the mask, or an empty text.
std::string set_without_mask(const session::Session& session,
                             const std::vector<ChosenScorer>& masking) {
  const auto found = std::ranges::find_if(masking, [&](const ChosenScorer& scorer) {
    return !session.encoder(scorer.set).trained_mask();
  });
  return found == masking.end() ? std::string() : found->set;
}

// Replaces MaskMode::automatic and returns the reason for the mode.
std::string choose_mode(const session::Session& session, const std::vector<ChosenScorer>& masking,
                        MaskMode* mode) {
  if (*mode != MaskMode::automatic) return format("--mask-mode {}", score::name_of(*mode));
  const std::string set = set_without_mask(session, masking);
  *mode = set.empty() ? MaskMode::hybrid : MaskMode::cosine;
  if (set.empty()) return "the encoder was trained with the mask";
  return format(
      "the encoder of the vectors \"{}\" was not trained with the mask (train retriever "
      "--loss din, sin or din+sin)",
      set);
}

}  // namespace

SearchOptions with_mask_mode(session::Context& context, SearchOptions options) {
  std::vector<ChosenScorer> masking = choose_scorers(options);
  std::erase_if(masking, [](const ChosenScorer& scorer) { return !scorer.masks; });
  // Without pages no encoder is loaded, and nothing is scored.
  if (masking.empty() || context.session.corpus().page_count() == 0) return options;
  MaskMode& mode = options.mask.options.mode;
  context.mask_reason = choose_mode(context.session, masking, &mode);
  context.mask = score::name_of(mode);
  context.events.tell(
      {.step = "mask_mode",
       .fields = dump_json(Json{{"mode", context.mask}, {"reason", context.mask_reason}}),
       .line =
           format("pages are scored by --mask-mode {}: {}", context.mask, context.mask_reason)});
  return options;
}

}  // namespace fineprint::retrieve
