// Turns a question that leans on earlier ones into a question of its own, by rules.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/records.h"

namespace fineprint::dialogue {

// A question of a conversation that was answered.
struct Turn {
  std::string question;                // as it was understood
  std::string answer = {};             // empty if nothing answered it
  std::vector<std::string> docs = {};  // cited documents, best first
};

// Returns the turn of an answered question. An answer that is more likely wrong than right is left
// out, so that no follow-up is about what it names.
Turn turn_of(const Answer& answer);

// A question as the program understands it.
struct Understood {
  std::string question;
  std::vector<std::string> docs = {};  // the only documents to search; empty: no limit
  bool changed = false;                // whether more than the words around it differ
};

// Returns `asked` with what it takes from `earlier` turns, oldest first, written out: names and
// things in place of pronouns, the year that "the year before" means, and the rest of the last
// question if only the part that differs was asked ("And in 2021?"). "in that document" limits the
// search to the document that was cited last. A question that needs nothing from earlier turns
// stays as it is. Knows English and German.
Understood understand(std::string_view asked, std::span<const Turn> earlier);

}  // namespace fineprint::dialogue
