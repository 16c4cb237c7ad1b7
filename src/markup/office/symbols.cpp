// Tables of symbol fonts. Sources: Adobe's Symbol encoding (unicode.org, MAPPINGS/VENDORS/ADOBE),
// and the counterparts of Wingdings and Webdings in Unicode 7 (L2/12-368).
#include "markup/office/symbols.h"

#include <utility>

#include "fineprint/core/unicode.h"

namespace fineprint::markup {
namespace {

// From 0x20 to 0x7E and from 0xA0 to 0xFE. A later blank means none.
constexpr std::u32string_view kSymbolLow =
    U" !∀#∃%&∋()∗+,−./"
    U"0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼";
constexpr std::u32string_view kSymbolHigh =
    U"€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…|⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ "
    U"⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭";
static_assert(kSymbolLow.size() == 0x7F - 0x20 && kSymbolHigh.size() == 0xFF - 0xA0);

using Pair = std::pair<unsigned char, char32_t>;
constexpr Pair kWingdings[] = {
    {0x22, U'✂'}, {0x28, U'☎'}, {0x29, U'✆'}, {0x2A, U'✉'}, {0x36, U'⌛'}, {0x37, U'⌨'},
    {0x3F, U'✍'}, {0x41, U'✌'}, {0x45, U'☜'}, {0x46, U'☞'}, {0x47, U'☝'},  {0x48, U'☟'},
    {0x4A, U'☺'}, {0x4C, U'☹'}, {0x4E, U'☠'}, {0x52, U'☼'}, {0x54, U'❄'},  {0x58, U'✠'},
    {0x59, U'✡'}, {0x5A, U'☪'}, {0x5B, U'☯'}, {0x6C, U'●'}, {0x6D, U'❍'},  {0x6E, U'■'},
    {0x6F, U'□'}, {0x70, U'□'}, {0x71, U'❑'}, {0x72, U'❒'}, {0x73, U'⬧'},  {0x74, U'⧫'},
    {0x75, U'◆'}, {0x76, U'❖'}, {0x77, U'⬥'}, {0x78, U'⌧'}, {0x7A, U'⌘'},  {0x7D, U'❝'},
    {0x7E, U'❞'}, {0x80, U'⓪'}, {0x8B, U'⓿'}, {0x9E, U'·'}, {0x9F, U'•'},  {0xA0, U'▪'},
    {0xA1, U'○'}, {0xA4, U'◉'}, {0xA5, U'◎'}, {0xA7, U'▪'}, {0xA8, U'◻'},  {0xAA, U'✦'},
    {0xAB, U'★'}, {0xAC, U'✶'}, {0xAD, U'✴'}, {0xAE, U'✹'}, {0xAF, U'✵'},  {0xB5, U'✪'},
    {0xB6, U'✰'}, {0xD5, U'⌫'}, {0xD6, U'⌦'}, {0xD8, U'➢'}, {0xDC, U'➲'},  {0xDF, U'←'},
    {0xE0, U'→'}, {0xE1, U'↑'}, {0xE2, U'↓'}, {0xE3, U'↖'}, {0xE4, U'↗'},  {0xE5, U'↙'},
    {0xE6, U'↘'}, {0xE8, U'➔'}, {0xEF, U'⇦'}, {0xF0, U'⇨'}, {0xF1, U'⇧'},  {0xF2, U'⇩'},
    {0xF3, U'⬄'}, {0xF4, U'⇳'}, {0xFB, U'✗'}, {0xFC, U'✓'}, {0xFD, U'☒'},  {0xFE, U'☑'}};
constexpr Pair kWingdings2[] = {{0x4F, U'✗'}, {0x50, U'✓'}, {0x51, U'☒'}, {0x52, U'☑'},
                                {0x53, U'☒'}, {0x54, U'☒'}, {0x96, U'•'}, {0x97, U'●'},
                                {0xA2, U'■'}, {0xA3, U'□'}, {0xA4, U'□'}, {0xA5, U'□'}};
constexpr Pair kWebdings[] = {{0x33, U'◀'}, {0x34, U'▶'}, {0x35, U'▲'}, {0x36, U'▼'},
                              {0x3C, U'■'}, {0x3D, U'●'}, {0x61, U'✓'}, {0x63, U'□'},
                              {0x67, U'■'}, {0x6E, U'●'}, {0x72, U'✗'}, {0x97, U'⚫'}};

template <std::size_t kCount>
char32_t found_in(const Pair (&table)[kCount], char32_t code) {
  for (const Pair& one : table) {
    if (one.first == code) return one.second;
  }
  return 0;
}

char32_t of_symbol(char32_t code) {
  const bool low = code >= 0x20 && code < 0x7F;
  if (!low && (code < 0xA0 || code >= 0xFF)) return 0;
  const char32_t c = low ? kSymbolLow[code - 0x20] : kSymbolHigh[code - 0xA0];
  return c == U' ' && code != 0x20 ? 0 : c;
}

char32_t of_wingdings(char32_t code) {
  if (code >= 0x5E && code <= 0x69) return U'♈' + (code - 0x5E);  // the signs of the zodiac
  if (code >= 0x81 && code <= 0x8A) return U'①' + (code - 0x81);
  if (code >= 0x8C && code <= 0x95) return U'❶' + (code - 0x8C);
  return found_in(kWingdings, code);
}

bool is_symbol_font(std::string_view font) {
  return font == "Symbol" || font == "Wingdings" || font == "Wingdings 2" || font == "Webdings";
}

}  // namespace

std::string symbol_text(std::string_view font, char32_t character) {
  const bool is_private = character >= 0xF020 && character <= 0xF0FF;
  // Fonts of icons use the same private characters for other things.
  const bool translates =
      is_symbol_font(font) ? is_private || character <= 0xFF : is_private && font.empty();
  char32_t c = character;
  if (translates) {
    const char32_t code = character & 0xFF;
    c = code == 0x20            ? U' '
        : font == "Wingdings"   ? of_wingdings(code)
        : font == "Wingdings 2" ? found_in(kWingdings2, code)
        : font == "Webdings"    ? found_in(kWebdings, code)
                                : of_symbol(code);
  }
  std::string out;
  if (c != 0) append_utf8(c, &out);
  return out;
}

std::string symbols_translated(std::string_view font, std::string_view utf8) {
  std::string out;
  for (std::size_t at = 0; at < utf8.size();) {
    out += symbol_text(font, next_code_point(utf8, &at));
  }
  return out;
}

}  // namespace fineprint::markup
