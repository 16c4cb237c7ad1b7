// Values of passages in other languages, and the kinds that their questions ask for.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/text/answer_kind.h"

namespace fineprint::text {
namespace {

using Texts = std::vector<std::string>;

Texts values_in(const std::string& passage, AnswerKind kind, const char* language) {
  Texts out;
  for (const Value& value : find_values(passage, kind, language)) out.push_back(value.text);
  return out;
}

double number_in(const std::string& passage, const char* language) {
  const std::vector<Value> values = find_values(passage, AnswerKind::number, language);
  return values.size() == 1 ? values.front().number : -1;
}

TEST(LocalValuesTest, NumbersHaveTheirMarksAndScales) {
  EXPECT_DOUBLE_EQ(number_in("Es waren 1.234,56 Tonnen", "de"), 1234.56);
  EXPECT_DOUBLE_EQ(number_in("soit 48 250 000 litres", "fr"), 48250000);
  EXPECT_DOUBLE_EQ(number_in("Umsatz von 18,4 Mio. Euro", "de"), 18.4e6);
  EXPECT_DOUBLE_EQ(number_in("2,5 milliards d'euros", "fr"), 2.5e9);
  EXPECT_DOUBLE_EQ(number_in("3,2 mil millones de euros", "es"), 3.2e9);
  EXPECT_DOUBLE_EQ(number_in("收入3.86亿元", "zh"), 3.86e8);
  EXPECT_DOUBLE_EQ(number_in("净利润为4,120万元", "zh"), 4.12e7);
  EXPECT_DOUBLE_EQ(number_in("بلغت ٢٫٣ مليون دينار", "ar"), 2.3e6);
  EXPECT_DOUBLE_EQ(number_in("استقبل ١٨٤٬٥٠٠ زائر", "ar"), 184500);
  EXPECT_DOUBLE_EQ(number_in("um −3,1 %", "de"), -3.1);
}

TEST(LocalValuesTest, ValuesAreWholeWithTheirUnits) {
  EXPECT_EQ(values_in("erzielte 18,4 Mio. Euro nach 16,9 Mio. Euro", AnswerKind::money, "de"),
            (Texts{"18,4 Mio. Euro", "16,9 Mio. Euro"}));
  EXPECT_EQ(values_in("a atteint 452,80 euros les mille litres", AnswerKind::money, "fr"),
            (Texts{"452,80 euros"}));
  EXPECT_EQ(values_in("全公司共有员工1,248名，平均年龄39岁", AnswerKind::count, "zh"),
            (Texts{"1,248名", "39岁"}));
  EXPECT_EQ(values_in("sank um 3,1 % auf 486,2 GWh", AnswerKind::percent, "de"), (Texts{"3,1 %"}));
  EXPECT_EQ(values_in("بزيادة قدرها ١١٫٦٪ عن العام", AnswerKind::percent, "ar"), (Texts{"١١٫٦٪"}));
}

TEST(LocalValuesTest, DatesHaveTheLanguagesMonths) {
  EXPECT_EQ(values_in("ging am 12. März 2024 in Betrieb", AnswerKind::date, "de"),
            (Texts{"12. März 2024"}));
  EXPECT_EQ(values_in("le 1er janvier 2023 et en mai 2024", AnswerKind::date, "fr"),
            (Texts{"1er janvier 2023", "mai 2024"}));
  EXPECT_EQ(values_in("el 5 de marzo de 2022", AnswerKind::date, "es"),
            (Texts{"5 de marzo de 2022"}));
  EXPECT_EQ(values_in("新码头于2023年9月18日正式启用", AnswerKind::date, "zh"),
            (Texts{"2023年9月18日"}));
  EXPECT_EQ(values_in("افتتحت في ١٢ مارس ٢٠٢٣ بعد عامين", AnswerKind::date, "ar"),
            (Texts{"١٢ مارس ٢٠٢٣"}));
  EXPECT_EQ(values_in("am 03.05.2024 um 10.30 Uhr", AnswerKind::date, "de"),
            (Texts{"03.05.2024", "10.30 Uhr"}));
}

TEST(LocalValuesTest, DatesAreNoCounts) {
  EXPECT_EQ(values_in("Zum 31. Dezember 2023 waren es 412 Personen", AnswerKind::count, "de"),
            (Texts{"412"}));
  EXPECT_EQ(values_in("截至2023年12月31日，共有22艘", AnswerKind::count, "zh"), (Texts{"22艘"}));
}

TEST(LocalValuesTest, WordsOfTheLanguageHaveNone) {
  for (const AnswerKind kind : {AnswerKind::name, AnswerKind::list, AnswerKind::yes_no}) {
    EXPECT_EQ(values_in("Herr Meier, Frau Schulz und das Werk", kind, "de"), Texts{});
  }
}

TEST(LocalValuesTest, QuestionsTellTheirKind) {
  struct Case {
    const char* language;
    const char* question;
    AnswerKind kind;
  };
  const Case cases[] = {
      {"de", "Wie viele Kunden hat das Netz?", AnswerKind::count},
      {"de", "Wie hoch war der Gewinn?", AnswerKind::money},
      {"de", "Wann fand die Sitzung statt?", AnswerKind::date},
      {"de", "Um wie viel Prozent stieg der Absatz?", AnswerKind::percent},
      {"de", "Wie lang ist das Netz?", AnswerKind::number},
      {"de", "Wer führt den Vorsitz?", AnswerKind::text},
      {"fr", "Combien de salariés compte le site ?", AnswerKind::count},
      {"fr", "Quel est le prix du lait ?", AnswerKind::money},
      {"fr", "En quelle année fut-elle fondée ?", AnswerKind::date},
      {"fr", "Quel pourcentage des ventes vient du beurre ?", AnswerKind::percent},
      {"es", "¿Cuántos empleados tiene?", AnswerKind::count},
      {"es", "¿Cuándo se inauguró?", AnswerKind::date},
      {"es", "¿Cuáles fueron los ingresos?", AnswerKind::money},
      {"zh", "公司有多少名员工？", AnswerKind::count},
      {"zh", "净利润是多少？", AnswerKind::money},
      {"zh", "什么时候开业？", AnswerKind::date},
      {"zh", "准点率是多少？", AnswerKind::percent},
      {"ar", "متى تأسس المتحف؟", AnswerKind::date},
      {"ar", "كم عدد الموظفين؟", AnswerKind::count},
      {"ar", "كم بلغت الإيرادات؟", AnswerKind::money},
      {"it", "Quanti dipendenti ha la ditta?", AnswerKind::count},
      {"it", "Quando fu aperto il museo?", AnswerKind::date},
      {"pt", "Quantos barcos tem o porto?", AnswerKind::count},
      {"pt", "Qual foi o lucro?", AnswerKind::money},
      {"nl", "Hoeveel schepen zijn er?", AnswerKind::count},
      {"nl", "Hoeveel kost een kaartje?", AnswerKind::money},
      {"sv", "När öppnades biblioteket?", AnswerKind::date},
      {"da", "Hvor mange færger sejler?", AnswerKind::count},
      {"no", "Hvor lang er brua?", AnswerKind::number},
      {"fi", "Kuinka monta kirjaa lainattiin?", AnswerKind::count},
      {"hu", "Hány mozdony van kiállítva?", AnswerKind::count},
      {"hu", "Mikor nyílt meg a múzeum?", AnswerKind::date},
      {"pl", "Ile interwencji odnotowano?", AnswerKind::count},
      {"pl", "Kiedy otwarto remizę?", AnswerKind::date},
      {"cs", "Kolik lodí má přístav?", AnswerKind::count},
      {"ro", "Câți angajați are firma?", AnswerKind::count},
      {"tr", "İskele ne zaman açıldı?", AnswerKind::date},
      {"tr", "Kaç gemi var?", AnswerKind::count},
      {"ru", "Сколько судов в порту?", AnswerKind::count},
      {"ru", "Какова высота башни?", AnswerKind::number},
      {"uk", "Скільки суден у порту?", AnswerKind::count},
      {"el", "Πόσα πλοία έχει το λιμάνι;", AnswerKind::count},
      {"he", "מתי נפתח המוזיאון?", AnswerKind::date},
      {"he", "כמה מטבעות יש באוסף?", AnswerKind::count},
      {"ko", "등대는 언제 세워졌는가?", AnswerKind::date},
      {"ko", "배가 몇 척 있는가?", AnswerKind::count},
      {"ja", "船は何隻ありますか", AnswerKind::count},
      {"ja", "いつ開館しましたか", AnswerKind::date},
      {"xx", "How many?", AnswerKind::text},
  };
  for (const Case& item : cases) {
    EXPECT_EQ(kind_name(answer_kind(item.question, item.language)), kind_name(item.kind))
        << item.question;
  }
}

}  // namespace
}  // namespace fineprint::text
