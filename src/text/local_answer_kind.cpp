// Recognises the kind of answer in languages other than English, one rule per row.
#include "text/local_answer_kind.h"

#include <string>
#include <vector>

#include "fineprint/core/unicode.h"
#include "fineprint/text/pattern.h"

namespace fineprint::text {
namespace {

// A row applies to a folded question in which its expression occurs. The first row that applies
// decides.
struct KindRow {
  std::string_view language;
  AnswerKind kind;
  const char* expression;
};

// Percentages come before money and counts, because "quel pourcentage du budget" contains words of
// both.
constexpr KindRow kKindRows[] = {
    {"de", AnswerKind::percent,
     R"(\bprozent|%|\banteil|\bquote\b|\w+quote\b|\bzinss[aä]tz|\bmarge)"},
    {"de", AnswerKind::count, R"(\bwie\s?viele\b|\banzahl\b|\bwie oft\b)"},
    {"de", AnswerKind::date,
     R"(\b(?:wann|seit wann|bis wann)\b|\b(?:welche[mnrs]?|wann)\s+(?:jahr|tag|datum|monat|quartal)\b)"},
    {"de", AnswerKind::money,
     R"(\b(?:wie\s?(?:viel|hoch)|welche[nr]?|was|nenne)\b.*(?:umsatz|umsätze|erlös|kosten|kostet|preis|gewinn|verlust|ergebnis|ausgaben|einnahmen|gehalt|lohn|budget|schulden|verbindlichkeiten|dividende|gebühr|investition|invest|euro\b|geld|vermögen|darlehen))"},
    {"de", AnswerKind::number,
     R"(\bwie\s?viel\b|\bwie (?:hoch|groß|gross|lang|weit|alt|schwer|breit|tief|schnell|warm|kalt|stark)\b)"},

    {"fr", AnswerKind::percent,
     R"(\bpour\s?cent|\bpourcentage|%|\bquelle (?:part|proportion)\b|\btaux\b|\bmarge\b)"},
    {"fr", AnswerKind::date,
     R"(\bquand\b|\b(?:quelle|quel)s?\s+(?:année|date|jour|mois|trimestre)\b|\bdepuis quand\b)"},
    {"fr", AnswerKind::money,
     R"(\b(?:combien|quel(?:le)?s?|quel est)\b.*(?:\bco[uû]t|\bprix\b|chiffre d.affaires|\bbénéfice|\bperte|\brecettes?\b|\bdépens|\bsalaire|\bbudget|\bdette|\bdividende|\brevenu|\binvesti|\beuros?\b|\bmontant|\bverse|\bpay))"},
    {"fr", AnswerKind::count, R"(\bcombien\b|\bnombre d)"},
    {"fr", AnswerKind::number,
     R"(\bquelle? est (?:la|le|l.)\s*(?:taille|longueur|hauteur|superficie|durée|distance|poids|température|valeur|total)\b)"},

    {"es", AnswerKind::percent,
     R"(\bpor\s?ciento|\bporcentaje|%|\bqué proporción|\btasa\b|\bmargen\b)"},
    {"es", AnswerKind::date,
     R"(\bcuándo\b|\b(?:qué|cuál)\s+(?:es la |fue la |)?(?:año|fecha|día|mes|trimestre)\b)"},
    {"es", AnswerKind::money,
     R"(\b(?:cuánto|cuánta|cuántos|cuál|cuáles|qué)\b.*(?:\bcost|\bcuesta|\bprecio|\bingresos|\bventas|\bbeneficio|\bganancia|\bpérdida|\bgasto|\bsalario|\bpresupuesto|\bdeuda|\bdividendo|\binvirti|\beuros?\b|\bdólares|\bpagó|\bpaga))"},
    {"es", AnswerKind::count, R"(\bcuánt[oa]s\b|\bnúmero de\b)"},
    {"es", AnswerKind::number,
     R"(\bcuánt[oa]\b|\bqué (?:longitud|altura|tamaño|superficie|edad|distancia)\b)"},

    {"zh", AnswerKind::percent,
     "百分|%|占比|比例|比率|增长率|利率|毛利率|率(?:是|为|有)?(?:多少|多高)"},
    {"zh", AnswerKind::date,
     "什么时候|何时|哪(?:一)?[年天月日]|哪个(?:月|季度)|几(?:月|号|年)|日期"},
    {"zh", AnswerKind::money,
     "(?:收入|利润|成本|费用|价格|票价|资产|负债|投资|金额|预算|工资|薪|股息|税|债|贷款|销售额|"
     "营收|支出|花).*(?:多少|几)|多少(?:钱|元)|(?:多少|几).*(?:元|钱)"},
    {"zh", AnswerKind::count,
     "多少(?:名|人|个|艘|家|台|辆|次|件|间|座|项|位|班)|有多少|几(?:名|人|个|艘|家|台|辆|次|件|间|"
     "座|项|位)|数量|人数"},
    {"zh", AnswerKind::number, "多少|多(?:大|长|高|远|重|久|快)|几"},

    {"ar", AnswerKind::percent, R"(نسبة|النسبة|في المئة|بالمئة|بالمائة|%|٪|معدل)"},
    {"ar", AnswerKind::date, R"((?:^|\s)متى(?:\s|$)|في أي (?:عام|سنة|شهر|يوم|تاريخ)|تاريخ)"},
    {"ar", AnswerKind::money,
     R"((?:كم|ما|ماذا).*(?:إيراد|الإيراد|تكلفة|كلفة|التكلفة|سعر|السعر|ثمن|ربح|أرباح|خسار|مصروف|نفقات|ميزانية|راتب|رواتب|ديون|قيمة|مبلغ|دخل|الدخل))"},
    {"ar", AnswerKind::count, R"((?:^|\s)كم(?:\s|$)|عدد)"},
};

struct CompiledRow {
  std::string_view language;
  AnswerKind kind;
  Pattern pattern;
};

// Compiled once: expressions take longer to compile than to match.
const std::vector<CompiledRow>& compiled_rows() {
  static const std::vector<CompiledRow> kCompiled = [] {
    std::vector<CompiledRow> compiled;
    for (const KindRow& row : kKindRows) {
      compiled.push_back(
          {row.language, row.kind, Pattern(row.expression, Pattern::Case::sensitive)});
    }
    return compiled;
  }();
  return kCompiled;
}

}  // namespace

AnswerKind local_answer_kind(std::string_view question, std::string_view language) {
  const std::string folded = fold(question);
  for (const CompiledRow& row : compiled_rows()) {
    if (row.language == language && row.pattern.occurs_in(folded)) return row.kind;
  }
  return AnswerKind::text;
}

}  // namespace fineprint::text
