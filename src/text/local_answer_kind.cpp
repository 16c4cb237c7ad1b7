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

    {"it", AnswerKind::percent, R"(\bper\s?cento|\bpercentuale|%|\bquota\b|\btasso\b|\bmargine\b)"},
    {"it", AnswerKind::date,
     R"(\bquando\b|\bin (?:che|quale) (?:anno|giorno|mese|data|trimestre)\b|\bdata\b)"},
    {"it", AnswerKind::money,
     R"(\b(?:quanto|quanti|qual)\b.*(?:\bcost|\bprezzo|\bricavi|\bfatturato|\butile\b|\bperdita|\bspes[ae]|\bstipendi|\bbilancio|\bdebit|\bdividend|\beuro\b|\bpagat))"},
    {"it", AnswerKind::count, R"(\bquant[ie]\b|\bnumero di\b)"},
    {"it", AnswerKind::number,
     R"(\bquanto\b|\bqual è (?:la|il|l.)\s*(?:lunghezza|altezza|superficie|durata|distanza|peso|temperatura|valore|totale)\b)"},

    {"pt", AnswerKind::percent,
     R"(\bpor\s?cento|\bporcentagem|\bpercentagem|%|\btaxa\b|\bmargem\b)"},
    {"pt", AnswerKind::date,
     R"(\bquando\b|\bem que (?:ano|dia|mês|data|trimestre)\b|\bqual (?:é |foi )?a data\b)"},
    {"pt", AnswerKind::money,
     R"(\b(?:quanto|quantos|qual|quais)\b.*(?:\bcust|\bpreço|\breceita|\bvendas|\blucro|\bperda|\bprejuízo|\bdespesa|\bsalário|\borçamento|\bdívida|\bdividendo|\beuros?\b|\breais\b|\bpag))"},
    {"pt", AnswerKind::count, R"(\bquant[oa]s\b|\bnúmero de\b)"},
    {"pt", AnswerKind::number,
     R"(\bquant[oa]\b|\bqual (?:é|era|foi) [oa] (?:comprimento|altura|área|duração|distância|peso|temperatura|valor|total)\b)"},

    {"nl", AnswerKind::percent, R"(\bprocent|\bpercentage|%|\baandeel\b|\bmarge\b)"},
    {"nl", AnswerKind::count, R"(\bhoeveel\b(?!.*\b(?:kost|euro|geld|betaal))|\baantal\b)"},
    {"nl", AnswerKind::date,
     R"(\bwanneer\b|\b(?:welk|welke|wat voor) (?:jaar|dag|datum|maand|kwartaal)\b)"},
    {"nl", AnswerKind::money,
     R"(\b(?:hoeveel|hoe hoog|wat)\b.*(?:kost|prijs|omzet|winst|verlies|uitgaven|inkomsten|salaris|begroting|schuld|dividend|euro|betaal))"},
    {"nl", AnswerKind::number,
     R"(\bhoe (?:hoog|groot|lang|ver|oud|zwaar|breed|diep|snel|warm|koud)\b)"},

    {"sv", AnswerKind::percent, R"(\bprocent|%|\bandel\b|\bmarginal)"},
    {"sv", AnswerKind::count, R"(\bhur många\b|\bantal)"},
    {"sv", AnswerKind::date,
     R"(\bnär\b|\bvilke[nt] (?:år|dag|datum|månad|kvartal)\b|\bvilket år\b)"},
    {"sv", AnswerKind::money,
     R"(\bhur (?:mycket|stor[at]?|hög[at]?)\b.*(?:kost|pris|intäkt|omsättning|vinst|förlust|lön|budget|skuld|utdelning|kron))"},
    {"sv", AnswerKind::number,
     R"(\bhur (?:mycket|lång[at]?|stor[at]?|hög[at]?|djup[at]?|gam\w+|bred\w*|tung\w*|snab\w+)\b)"},

    {"da", AnswerKind::percent, R"(\bprocent|%|\bandel\b)"},
    {"da", AnswerKind::count, R"(\bhvor mange\b|\bantal)"},
    {"da", AnswerKind::date, R"(\bhvornår\b|\bhvilke[nt] (?:år|dag|dato|måned|kvartal)\b)"},
    {"da", AnswerKind::money,
     R"(\bhvor (?:meget|stor[t]?|høj[t]?)\b.*(?:kost|pris|omsætning|overskud|underskud|løn|budget|gæld|udbytte|kron))"},
    {"da", AnswerKind::number,
     R"(\bhvor (?:meget|lang[t]?|stor[t]?|høj[t]?|dyb[t]?|gammel[t]?|bred[t]?|tung[t]?)\b)"},

    {"no", AnswerKind::percent, R"(\bprosent|%|\bandel\b)"},
    {"no", AnswerKind::count, R"(\bhvor mange\b|\bantall)"},
    {"no", AnswerKind::date, R"(\bnår\b|\bhvilke[nt] (?:år|dag|dato|måned|kvartal)\b)"},
    {"no", AnswerKind::money,
     R"(\bhvor (?:mye|stor[t]?|høy[t]?)\b.*(?:kost|pris|omsetning|overskudd|underskudd|lønn|budsjett|gjeld|utbytte|kron))"},
    {"no", AnswerKind::number,
     R"(\bhvor (?:mye|lang[t]?|stor[t]?|høy[t]?|dyp[t]?|gammel[t]?|bred[t]?|tung[t]?)\b)"},

    {"fi", AnswerKind::percent, R"(\bprosen|%|\bosuus)"},
    {"fi", AnswerKind::count, R"(\b(?:kuinka|miten) mon\w+\b|\bmontako\b|\blukumäärä)"},
    {"fi", AnswerKind::date, R"(\bmilloin\b|\bminä (?:vuonna|päivänä)\b|\bmissä kuussa\b)"},
    {"fi", AnswerKind::money,
     R"(\b(?:paljonko|kuinka|mikä|mitä)\b.*(?:maksoi|maksaa|hinta|liikevaihto|voitto|tappio|palkka|budjetti|velka|osinko|euro))"},
    {"fi", AnswerKind::number,
     R"(\bpaljonko\b|\bkuinka (?:paljon|pitkä|korkea|suuri|syvä|vanha|leveä|painava|kaukana)\b)"},

    {"hu", AnswerKind::percent, R"(\bszázalék|%|\barány)"},
    {"hu", AnswerKind::date,
     R"(\bmikor\b|\bmelyik (?:évben|napon|hónapban)\b|\bhány(?:adik)? évben\b)"},
    {"hu", AnswerKind::money,
     R"(\b(?:mennyi|mennyibe|mekkora)\b.*(?:kerül|ára\b|bevétel|árbevétel|nyereség|veszteség|fizetés|költségvetés|adósság|forint|euró))"},
    {"hu", AnswerKind::count, R"(\bhány\b|\bhányan\b|\bszáma\b)"},
    {"hu", AnswerKind::number,
     R"(\bmennyi\b|\bmilyen (?:hosszú|magas|mély|nagy|széles|nehéz|messze)\b|\bmekkora\b)"},

    {"pl", AnswerKind::percent, R"(\bproc\.?\b|\bprocent|%|\budział)"},
    {"pl", AnswerKind::date,
     R"(\bkiedy\b|\bw którym (?:roku|dniu|miesiącu|kwartale)\b|\bktórego dnia\b)"},
    {"pl", AnswerKind::money,
     R"(\b(?:ile|jak[aie]\w*)\b.*(?:koszt|cen[aęy]\b|przychod|przychód|zysk|strat|wynagrodzeni|budżet|dług|dywidend|złot|euro))"},
    {"pl", AnswerKind::count, R"(\bile\b|\bilu\b|\bliczba\b)"},
    {"pl", AnswerKind::number,
     R"(\bjak (?:długi|wysoki|duży|głęboki|szeroki|stary|ciężki|daleko)\w*\b|\bjaka jest (?:długość|wysokość|powierzchnia|głębokość|temperatura|waga)\b)"},

    {"cs", AnswerKind::percent, R"(\bprocent|%|\bpodíl)"},
    {"cs", AnswerKind::date, R"(\bkdy\b|\bve kterém (?:roce|měsíci)\b|\bkterý den\b)"},
    {"cs", AnswerKind::money,
     R"(\b(?:kolik|jak[áéý]\w*)\b.*(?:stál|stojí|cen[auy]\b|tržb|výnos|zisk|ztrát|mzd|rozpoč|dluh|dividend|korun|euro))"},
    {"cs", AnswerKind::count, R"(\bkolik\b|\bpočet\b)"},
    {"cs", AnswerKind::number, R"(\bjak (?:dlouh|vysok|velk|hlubok|širok|star|těžk|daleko)\w*)"},

    {"ro", AnswerKind::percent, R"(\bla sută|\bprocent|%)"},
    {"ro", AnswerKind::date, R"(\bcând\b|\bîn ce (?:an|zi|lună|dată)\b)"},
    {"ro", AnswerKind::money,
     R"(\b(?:cât|câți|care)\b.*(?:\bcost|\bpreț|\bvenit|\bprofit|\bpierder|\bsalari|\bbuget|\bdatori|\blei\b|\beuro\b))"},
    {"ro", AnswerKind::count, R"(\bcâ(?:ți|te)\b|\bnumărul de\b)"},
    {"ro", AnswerKind::number,
     R"(\bcâ(?:t|tă)\b|\bce (?:lungime|înălțime|suprafață|adâncime|vârstă)\b)"},

    {"tr", AnswerKind::percent, R"(\byüzde|%|\boran)"},
    {"tr", AnswerKind::date, R"(\bne zaman\b|\bhangi (?:yıl|gün|ay|tarih)\w*\b)"},
    {"tr", AnswerKind::money,
     R"((?:fiyat|gelir|kâr|zarar|maliyet|maaş|bütçe|borç|lira|avro|euro).*\b(?:kaç|ne kadar)\b|\b(?:kaç|ne kadar)\b.*(?:lira|avro|euro))"},
    {"tr", AnswerKind::count, R"(\bkaç\b|\bsayısı\b)"},
    {"tr", AnswerKind::number, R"(\bne kadar\b)"},

    {"ru", AnswerKind::percent, R"(процент|%|\bдоля\b)"},
    {"ru", AnswerKind::date, R"(\bкогда\b|\bв каком (?:году|месяце|квартале)\b|\bкакого числа\b)"},
    {"ru", AnswerKind::money,
     R"(\b(?:сколько|как[аоиу]\w*)\b.*(?:стои|цен[аыу]\b|выручк|прибыл|убыт|зарплат|бюджет|долг|дивиденд|рубл|евро|доход|расход))"},
    {"ru", AnswerKind::count, R"(\bсколько\b|\bколичество\b|\bчисло\b)"},
    {"ru", AnswerKind::number,
     R"(\bкак(?:ова|ой|ая|ую)\b.*\b(?:длин|высот|площад|глубин|температур|вес|возраст|расстояни|размер)\w*)"},

    {"uk", AnswerKind::percent, R"(відсот|%|\bчастка\b)"},
    {"uk", AnswerKind::date, R"(\bколи\b|\b(?:у|в) якому (?:році|місяці)\b|\bякого числа\b)"},
    {"uk", AnswerKind::count, R"(\bскільки\b|\bкількість\b)"},
    {"uk", AnswerKind::number, R"(\bяка\b.*\b(?:довжин|висот|площ|глибин|температур|ваг)\w*)"},

    {"el", AnswerKind::percent, R"(τοις εκατό|ποσοστ|%)"},
    {"el", AnswerKind::date, R"(\bπότε\b|\bποια (?:χρονιά|ημερομηνία)\b|\bποιο έτος\b)"},
    {"el", AnswerKind::count, R"(\bπόσ(?:οι|ες|α|ους)\b|\bαριθμός\b)"},
    {"el", AnswerKind::number, R"(\bπόσ(?:ο|η)\b)"},

    {"he", AnswerKind::percent, "אחוז|%|שיעור"},
    {"he", AnswerKind::date, R"((?:^|\s)מתי(?:\s|$)|באיזו? (?:שנה|תאריך|יום|חודש))"},
    {"he", AnswerKind::money, "(?:כמה|מה).*(?:עול[הה]|מחיר|הכנס|רווח|הפסד|שכר|תקציב|חוב|שקל|אירו)"},
    {"he", AnswerKind::count, R"((?:^|\s)כמה(?:\s|$)|מספר ה)"},

    {"ko", AnswerKind::percent, "퍼센트|%|비율|비중"},
    {"ko", AnswerKind::date, "언제|몇 ?(?:년|월|일)|어느 ?(?:해|날|달)"},
    {"ko", AnswerKind::money,
     "(?:매출|이익|손실|가격|비용|예산|급여|부채|배당).*(?:얼마|몇)|얼마(?:입니까|인가|예요)|몇 "
     "?원"},
    {"ko", AnswerKind::count, "몇|개수|인원"},
    {"ko", AnswerKind::number, "얼마나|얼마"},

    {"ja", AnswerKind::percent, "パーセント|%|割合|比率"},
    {"ja", AnswerKind::date, "いつ|何[年月日]|どの(?:年|日|月)"},
    {"ja", AnswerKind::money,
     "(?:売上|利益|損失|価格|費用|予算|給与|負債|配当|料金).*(?:いくら|何円|どれ)|いくら|何円"},
    {"ja", AnswerKind::count,
     "何(?:人|個|台|本|枚|件|隻|冊|匹|頭|社|名|回|軒|棟|か所|箇所|つ)|いくつ|人数|件数"},
    {"ja", AnswerKind::number,
     "どれ(?:くらい|ほど|だけ)|どのくらい|何(?:メートル|キロ|トン|度|時間|分|歳)"},
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
