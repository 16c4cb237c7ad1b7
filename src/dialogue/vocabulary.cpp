// The function words of English and German.
#include "dialogue/vocabulary.h"

#include <algorithm>
#include <array>

#include "fineprint/core/text.h"

namespace fineprint::dialogue {
namespace {

template <std::size_t kCount>
using Listed = std::array<std::string_view, kCount>;

template <class... Text>
constexpr auto list_of(Text... text) {
  return Listed<sizeof...(Text)>{std::string_view(text)...};
}

namespace english {

constexpr auto kLeads = list_of("and", "but", "so", "ok", "okay", "also", "or", "well", "then");
constexpr auto kAbouts = list_of("what about", "how about", "what of", "same for", "the same for");
constexpr auto kAsking =
    list_of("who", "whom", "whose", "what", "which", "when", "where", "why", "how");
constexpr auto kChoosing = list_of("which", "what");
constexpr auto kQuantities = list_of("many", "much");
constexpr auto kAuxiliaries =
    list_of("is", "are", "was", "were", "be", "been", "am", "do", "does", "did", "has", "have",
            "had", "can", "could", "will", "would", "shall", "should", "may", "might", "must");
constexpr auto kModals = list_of("do", "does", "did", "has", "have", "had", "can", "could", "will",
                                 "would", "shall", "should", "may", "might", "must");
constexpr auto kDeterminers =
    list_of("the", "a", "an", "any", "each", "every", "no", "some", "my", "our", "your");
constexpr auto kIndefinites = list_of("a", "an");
constexpr auto kPrepositions =
    list_of("of", "in", "on", "at", "for", "from", "to", "by", "with", "without", "about", "during",
            "after", "before", "since", "until", "till", "under", "over", "between", "per", "into",
            "through", "as", "up", "off", "out", "within", "above", "below");
constexpr auto kPlaces = list_of("in", "at", "on", "from", "to");
constexpr auto kFillers =
    list_of("not", "i", "we", "you", "me", "us", "last", "ever", "also", "still", "yet", "already",
            "long", "old", "big", "high", "deep", "far", "often", "soon", "hot", "if", "or", "and",
            "but", "else", "too", "please", "only", "just", "many", "much");
constexpr auto kVerbs =
    list_of("built", "held", "made", "paid", "sold", "bought", "found", "sent", "lost", "kept",
            "met", "left", "put", "set", "taken", "given", "written", "born", "drawn", "shown",
            "known", "seen", "broken", "spent", "went", "go", "open", "closed", "due", "valid",
            "missing", "available", "get", "cost", "costs", "been", "done", "come", "came");
constexpr auto kPersons = list_of("he", "she", "him", "his", "her");
constexpr auto kThings = list_of("it", "they", "them", "its", "their", "there", "one", "ones");
constexpr auto kPossessives = list_of("its", "his", "her", "their");
constexpr auto kPointers = list_of("that", "this", "those", "these");
constexpr auto kPlurals = list_of("they", "them", "their", "those", "these", "ones");
constexpr auto kAttributes =
    list_of("price", "cost", "date", "length", "depth", "height", "width", "weight", "size", "age",
            "name", "address", "number", "salary", "bonus", "total", "fee", "rate", "colour",
            "capacity", "speed", "limit", "time", "duration", "deadline", "author", "year",
            "volume", "area", "value", "amount", "share", "offset", "cover", "phone", "sum");
constexpr auto kTimes =
    list_of("january", "february", "march", "april", "may", "june", "july", "august", "september",
            "october", "november", "december", "monday", "tuesday", "wednesday", "thursday",
            "friday", "saturday", "sunday", "spring", "summer", "autumn", "winter", "quarter", "q1",
            "q2", "q3", "q4", "weekdays", "weekends");
constexpr auto kTitles = list_of("mr", "mrs", "ms", "dr", "professor");

constexpr Vocabulary kWords = {
    kLeads,       kAbouts,      kAsking,       kChoosing, kQuantities, kAuxiliaries, kModals,
    kDeterminers, kIndefinites, kPrepositions, kPlaces,   kFillers,    kVerbs,       kPersons,
    kThings,      kPossessives, kPointers,     kPlurals,  kAttributes, kTimes,       kTitles,
    "in",         "of",         "what is",     "at",      "the"};

}  // namespace english

namespace german {

constexpr auto kLeads = list_of("und", "aber", "also", "oder", "ok");
constexpr auto kAbouts = list_of("was ist mit", "wie sieht es mit", "wie ist es mit",
                                 "und was ist mit", "wie steht es um");
constexpr auto kAsking =
    list_of("wer", "wen", "wem", "wessen", "was", "welche", "welcher", "welches", "welchen",
            "welchem", "wann", "wo", "warum", "wieso", "weshalb", "wie", "wohin", "woher");
constexpr auto kChoosing = list_of("welche", "welcher", "welches", "welchen", "welchem");
constexpr auto kQuantities = list_of("viele", "viel");
constexpr auto kAuxiliaries =
    list_of("ist", "sind", "war", "waren", "sein", "wird", "werden", "wurde", "wurden", "hat",
            "haben", "hatte", "hatten", "kann", "können", "konnte", "darf", "dürfen", "muss",
            "müssen", "soll", "sollen", "worden");
constexpr auto kModals = list_of("wird", "werden", "hat", "haben", "hatte", "hatten", "kann",
                                 "können", "darf", "dürfen", "muss", "müssen", "soll", "sollen");
constexpr auto kDeterminers =
    list_of("der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer",
            "eines", "kein", "keine", "jeder", "jede", "jedes");
constexpr auto kIndefinites = list_of("ein", "eine", "einen", "einem", "einer", "eines");
constexpr auto kPrepositions =
    list_of("von", "vom", "in", "im", "auf", "an", "am", "bei", "beim", "für", "aus", "zu", "zum",
            "zur", "mit", "ohne", "über", "unter", "nach", "vor", "seit", "bis", "durch", "pro",
            "je", "während", "ab");
constexpr auto kPlaces = list_of("in", "im", "auf", "an", "am", "bei", "beim", "aus");
constexpr auto kFillers =
    list_of("nicht", "ich", "wir", "man", "auch", "noch", "schon", "lange", "alt", "groß", "hoch",
            "tief", "weit", "oft", "wenn", "oder", "und", "denn", "bitte", "nur", "viele", "viel");
constexpr auto kVerbs = list_of("gebaut", "gibt", "kostet", "kosten", "gekostet", "offen",
                                "geöffnet", "gehört", "liegt", "betrug", "beträgt");
constexpr auto kPersons = list_of("ihn", "ihm");
constexpr auto kThings = list_of("es", "sie", "er", "dort", "davon", "sein", "seine", "seinen",
                                 "ihr", "ihre", "ihren", "deren", "dessen");
constexpr auto kPossessives = list_of("seine", "seinen", "ihre", "ihren", "deren", "dessen");
constexpr Listed<0> kPointers = {};
constexpr Listed<0> kPlurals = {};
constexpr auto kAttributes =
    list_of("preis", "datum", "länge", "tiefe", "höhe", "breite", "gewicht", "größe", "alter",
            "name", "adresse", "nummer", "gehalt", "summe", "gebühr", "zahl", "wert", "betrag");
constexpr auto kTimes =
    list_of("januar", "februar", "märz", "april", "mai", "juni", "juli", "august", "september",
            "oktober", "november", "dezember", "montag", "dienstag", "mittwoch", "donnerstag",
            "freitag", "samstag", "sonntag", "frühling", "sommer", "herbst", "winter", "quartal");
constexpr auto kTitles = list_of("herr", "frau", "dr");

constexpr Vocabulary kWords = {
    kLeads,       kAbouts,      kAsking,       kChoosing, kQuantities, kAuxiliaries, kModals,
    kDeterminers, kIndefinites, kPrepositions, kPlaces,   kFillers,    kVerbs,       kPersons,
    kThings,      kPossessives, kPointers,     kPlurals,  kAttributes, kTimes,       kTitles,
    "im Jahr",    "von",        "was ist",     "bei",     "der"};

}  // namespace german

int count_known(const Vocabulary& words, const Words& question) {
  return static_cast<int>(std::ranges::count_if(question, [&](const Word& word) {
    return holds(words.leads, word.key) || holds(words.asking, word.key) ||
           holds(words.auxiliaries, word.key) || holds(words.determiners, word.key) ||
           holds(words.prepositions, word.key);
  }));
}

}  // namespace

bool holds(WordList list, std::string_view key) {
  return std::ranges::find(list, key) != list.end();
}

const Vocabulary& vocabulary_for(const Words& asked, const Words& before) {
  const int as_english = count_known(english::kWords, asked) + count_known(english::kWords, before);
  const int as_german = count_known(german::kWords, asked) + count_known(german::kWords, before);
  return as_german > as_english ? german::kWords : english::kWords;
}

bool is_pronoun(const Vocabulary& words, std::string_view key) {
  return holds(words.persons, key) || holds(words.things, key) || holds(words.pointers, key);
}

bool is_function_word(const Vocabulary& words, std::string_view key) {
  return holds(words.asking, key) || holds(words.auxiliaries, key) ||
         holds(words.determiners, key) || holds(words.prepositions, key) ||
         holds(words.fillers, key) || is_pronoun(words, key);
}

bool is_time(const Vocabulary& words, std::string_view key) {
  return is_bare_year(key) || holds(words.times, key);
}

bool is_verb_form(const Vocabulary& words, const Word& word) {
  if (is_capital(word)) return false;
  return holds(words.verbs, word.key) || (word.key.size() > 4 && word.key.ends_with("ed"));
}

}  // namespace fineprint::dialogue
