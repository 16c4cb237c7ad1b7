// The word lists: one row per language, words separated by blanks.
#include "text/language_words.h"

#include <algorithm>

namespace fineprint::text {
namespace {

struct WordsRow {
  std::string_view language, function, asking, abbreviations;
};

// Function words, question words and abbreviations. Elided forms ("l", "d") are listed because
// words are split at apostrophes.
constexpr WordsRow kWordsRows[] = {
    {"de",
     "der die das den dem des ein eine einer einem einen eines kein keine keiner keinem keinen "
     "dieser diese dieses diesem diesen jener jene jenes jeder jede jedes alle allem allen aller "
     "ich du er sie es wir ihr mich mir dich dir ihn ihm uns euch ihnen sich mein dein sein seine "
     "seiner seinem seinen ihre ihrer ihrem ihren unser unsere euer man "
     "bin bist ist sind seid war waren wurde wurden wird werden worden hat haben hatte hatten kann "
     "können konnte konnten muss müssen soll sollen sollte darf dürfen will wollen möchte "
     "und oder aber denn doch sondern wenn als ob dass weil damit sowie bis nicht noch nur auch so "
     "sehr schon dann hier dort da wo "
     "in im ins an am ans auf aus bei beim mit nach seit von vom vor zu zum zur über unter durch "
     "für gegen ohne um zwischen während wegen trotz je",
     "wer wen wem wessen was wann warum wieso weshalb wie wieviel wieviele viel viele hoch welche "
     "welcher welches welchem welchen gibt gab lautet lauten beträgt betragen bitte nenne nennen "
     "laut frau herr herrn",
     "z b d h u a bzw ca usw vgl inkl exkl zzgl abzgl ggf evtl max min mio mrd tsd nr abs art aufl "
     "bd dr prof dipl ing st str tel s jan feb aug sept okt nov dez hrsg jh jhd lt mind sog"},
    {"fr",
     "le la les l un une des du de d au aux ce cet cette ces c ça cela mon ma mes ton ta tes son "
     "sa "
     "ses notre nos votre vos leur leurs je j tu il elle on nous vous ils elles me m te t se s lui "
     "y en moi toi soi eux "
     "est sont était étaient été être es suis sommes êtes sera seront fut furent a ai as avons "
     "avez "
     "ont avait avaient aura auront eu avoir fait faire peut peuvent doit doivent "
     "et ou mais donc or ni car que qu qui dont où si comme quand lorsque lorsqu puisque puisqu "
     "à dans par pour sur sous avec sans entre vers chez depuis pendant avant après contre selon "
     "jusque jusqu ne n pas plus moins très aussi encore déjà tout toute tous toutes même",
     "quel quelle quels quelles combien quand comment pourquoi quoi lequel laquelle lesquels "
     "lesquelles indiquez donnez citez",
     "m mm mme mmes mlle dr pr me st ste p pp ex cf env art al etc av bd tél no éd vol chap fig "
     "janv "
     "févr avr juil sept oct nov déc"},
    {"es",
     "el la los las lo un una unos unas al del de este esta estos estas ese esa esos esas eso esto "
     "aquel aquella mi mis tu tus su sus nuestro nuestra nuestros nuestras yo él ella ello ellos "
     "ellas nosotros usted ustedes me te se le les nos "
     "es son era eran fue fueron ser sido está están estaba estaban estar hay ha han había habían "
     "haber he hemos tiene tienen tenía puede pueden debe deben "
     "y e o u pero sino ni que si como cuando porque pues aunque donde "
     "a ante bajo con contra desde durante en entre hacia hasta para por según sin sobre tras no "
     "muy más menos también ya todo toda todos todas mismo misma",
     "qué quién quiénes cuál cuáles cuánto cuánta cuántos cuántas cuándo cómo dónde diga indique",
     "sr sra sres srta dr dra d dña ud uds art pág págs núm no tel av avda ej etc aprox fig vol "
     "cap "
     "ene feb abr ago sept oct nov dic ee uu"},
    {"it",
     "il lo la i gli le l un uno una di a da in con su per tra fra del dello della dei degli delle "
     "dell al allo alla ai agli alle all dal dallo dalla dai dagli dalle dall nel nello nella nei "
     "negli nelle nell sul sullo sulla sui sugli sulle sull questo questa questi queste quello "
     "quella quelli quelle mio tuo suo sua suoi sue nostro nostra loro io tu lui lei noi voi mi ti "
     "si ci vi ne che chi cui "
     "è sono era erano stato stata stati state essere ha hanno ho aveva avevano avere può possono "
     "deve e ed o ma se non come quando anche più meno molto già tutto tutti",
     "quanto quanta quanti quante quale quali qual cosa dove perché",
     "sig sigg dott prof ing avv art pag pagg n ecc es vol fig cap ca"},
    {"pt",
     "o a os as um uma uns umas de do da dos das em no na nos nas ao à aos às por pelo pela pelos "
     "pelas com para sem sob sobre entre até desde contra este esta estes estas esse essa esses "
     "essas isto isso aquele aquela meu minha seu sua seus suas nosso nossa eu ele ela nós eles "
     "elas "
     "me te se lhe que quem "
     "é são era eram foi foram ser sido está estão estava tem têm tinha há haver pode podem deve e "
     "ou mas nem se como quando porque não muito mais menos também já todo toda todos todas",
     "qual quais quanto quanta quantos quantas onde quê",
     "sr sra srs dr dra prof art pág págs n núm tel av ex etc vol fig cap"},
    {"nl",
     "de het een deze dit die dat der den des ik jij hij zij wij u hun hem haar mij ons onze mijn "
     "zijn uw men zich er "
     "is was waren ben bent wordt werd werden worden heeft hebben had hadden kan kunnen moet "
     "moeten "
     "zal zullen mag en of maar want dus als omdat dan toen "
     "in op aan van voor met bij naar uit over onder tussen door tegen tot om zonder na sinds te "
     "ten "
     "ter niet geen ook nog al wel zeer meer",
     "wie wat waar wanneer waarom hoe hoeveel welk welke",
     "dhr mevr dr prof ir drs nr blz art bv bijv enz ca mln mrd tel incl excl"},
    {"nl",
     "de het een der des deze dit die dat geen ik je jij u hij zij ze het wij we jullie hen hun "
     "mij "
     "me jou hem haar ons zich mijn jouw onze uw men "
     "ben bent is zijn was waren word wordt worden werd werden geworden heb hebt heeft hebben had "
     "hadden kan kunnen kon konden moet moeten moest mag mogen zal zullen zou zouden wil willen "
     "en of maar want dus als dan omdat hoewel terwijl niet nog ook al er hier daar zo zeer te om "
     "in aan af op uit bij met naar sinds van voor door tegen zonder tussen tijdens over onder per "
     "tot",
     "wie wat wanneer waar waarom hoe hoeveel welk welke luidt bedraagt bedragen noem geef volgens",
     "bijv enz dhr mevr nr blz art tel ca excl incl jan feb mrt apr aug sep okt nov dec"},
    {"zh",
     "的 了 是 在 和 与 及 或 等 也 都 就 而 之 于 以 为 由 对 从 到 向 把 被 将 这 那 这个 那个 "
     "其 该 我 你 您 他 她 它 我们 他们 并 但 但是 不 没 没有 有 很 还 又 上 下 中 里",
     "什么 多少 几 哪 哪个 哪些 哪里 哪儿 谁 吗 呢 怎么 怎样 怎么样 如何 为什么 为何 何时 何地 "
     "请 请问 时候 什么时候 一共 总共",
     ""},
    {"ar",
     "في من على إلى الى عن مع بين حتى منذ خلال بعد قبل عند لدى هذا هذه ذلك تلك هؤلاء الذي التي "
     "الذين هو هي هم نحن أنا أنت كان كانت كانوا يكون تكون قد لقد لم لن لا ما إن أن أنه أو و ف ثم "
     "بل "
     "لكن كل أي غير كما إذا إذ كلا",
     "كم متى أين اين من ماذا ما لماذا كيف هل أي أية", ""},
    {"da",
     "en et den det de der som er var og eller men at om hvis når da fordi i på til af med for fra "
     "ved hos under over efter før mellem uden mod om ikke også kun har havde kan kunne skal "
     "skulle "
     "vil ville bliver blev han hun vi jeg du man sin sit sine hans hendes deres dette denne disse",
     "hvem hvad hvor hvornår hvorfor hvordan hvilken hvilket hvilke mange meget",
     "bl ca dvs evt f eks fx inkl kr mio mia nr osv pga st tlf"},
    {"sv",
     "en ett den det de som är var och eller men att om när då i på till av med för från vid hos "
     "under över efter före mellan utan mot inte också bara har hade kan kunde ska skulle vill "
     "blir "
     "blev han hon vi jag du man sin sitt sina hans hennes deras detta denna dessa",
     "vem vad var vart när varför hur vilken vilket vilka många mycket",
     "bl ca dvs d v s ev ex inkl kr milj nr osv st t tel"},
    {"fi",
     "ja tai mutta että jos kun koska on ei ole oli ovat olivat olla se ne hän he me te minä sinä "
     "tämä tuo nämä joka jotka jonka myös vain niin kuin sekä",
     "kuka ketkä kenen mikä mitä mitkä minkä missä mistä mihin milloin miksi miten kuinka paljonko "
     "montako paljon monta",
     "esim ja n klo mm ns nro puh s v yms"},
    {"pl",
     "i a oraz lub ale że żeby jeśli gdy w we z ze na do od po za o u dla przez przy pod nad nie "
     "się jest są był była było były być to ten ta te tego tej tych on ona oni jego jej ich co "
     "który która które także już tylko",
     "kto kogo komu kim gdzie kiedy dlaczego jak jaki jaka jakie ile który która które czy",
     "al im itd itp m in mgr mln nr np ok pl pt r s św tel tys ul wg zł"},
    {"cs",
     "a i nebo ale že aby když v ve z ze na do od po za o u pro při pod nad se si je jsou byl byla "
     "bylo byly být to ten ta ty toho té těch on ona oni jeho její jejich který která které také "
     "již "
     "jen není",
     "kdo koho komu kým co kde kdy proč jak jaký jaká jaké kolik čí který která které zda",
     "atd č čl kč mil např nám odst r s str sv tel tj tzv ul vč"},
    {"hu",
     "a az egy és vagy de hogy ha mert is nem van volt lesz ez azt ezt ő ők mi ti én te meg már "
     "csak mint",
     "ki kik kié mi mit mik hol hova honnan mikor miért hogyan milyen mennyi hány melyik mennyibe",
     "db ft kb pl sz stb tel u ún utca"},
    {"tr",
     "ve veya ama bir bu şu o da de ki ile için gibi çok daha en mi mı mu mü değil var olan olarak "
     "kadar sonra önce",
     "kim kimin kime ne neden niçin nasıl nerede nereye nereden kaç hangi",
     "av cad doç dr mah no prof sok tel vb vs yrd"},
    {"ru",
     "и а но или что чтобы если когда в во на с со к ко по из от до за о об у для при под над не "
     "ни же бы ли это этот эта эти того был была было были быть есть он она оно они его её ее их "
     "мы вы я ты свой который которая которое которые также уже только как так",
     "кто кого кому кем где куда откуда когда почему зачем как какой какая какое какие каков "
     "сколько чей чья чьё который",
     "г гг г-н д др им кв коп млн млрд напр обл пр р руб с см стр т тел тыс ул"},
    {"el",
     "ο η το οι τα του τησ των τον την τουσ τισ στο στη στον στην στα στουσ στισ ένασ μια μία ένα "
     "και ή αλλά αν ότι να θα δεν μην με σε για από κατά μετά πριν προσ ωσ είναι ήταν έχει έχουν "
     "αυτό αυτόσ αυτή που",
     "ποιοσ ποια ποιο ποιοι ποιεσ τι πού πότε γιατί πώσ πόσο πόσα πόσοι πόσεσ πόση",
     "αρ βλ δηλ κ κα κτλ λ π σ σελ τηλ χλμ"},
    {"he",
     "של את על אל עם או אם כי לא זה זו זאת הוא היא הם הן אני אנחנו היה היתה היו יש אין גם רק כל "
     "אשר כדי בין לפני אחרי",
     "מי מה מהו מהי היכן איפה מתי למה מדוע איך כיצד כמה איזה איזו", ""},
    {"ko", "그 이 저 및 또는 그리고 또 수 것 등",
     "누구 누구인가 누구인가요 누구입니까 무엇 무엇인가 무엇인가요 무엇입니까 언제 언제인가 어디 "
     "어디에 어디서 어디인가 얼마 "
     "얼마인가 얼마인가요 얼마입니까 몇 왜 어떻게 어떤 어느",
     ""},
    {"ja",
     "の に は を た が で て と も へ や から まで より など です ます だ である した する いる "
     "ある この その",
     "誰 だれ 何 なに なん いつ どこ なぜ どう どの どれ いくら いくつ 何人 か", ""},
};

std::unordered_set<std::string_view> words_in(std::string_view list) {
  std::unordered_set<std::string_view> words;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (end > 0) words.insert(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return words;
}

}  // namespace

const std::vector<LanguageWords>& listed_languages() {
  static const std::vector<LanguageWords> kListed = [] {
    std::vector<LanguageWords> listed;
    for (const WordsRow& row : kWordsRows) {
      listed.push_back({row.language, words_in(row.function), words_in(row.asking),
                        words_in(row.abbreviations)});
    }
    return listed;
  }();
  return kListed;
}

const LanguageWords& words_of_language(std::string_view language) {
  static const LanguageWords kNone;
  const auto found = std::ranges::find(listed_languages(), language, &LanguageWords::language);
  return found == listed_languages().end() ? kNone : *found;
}

}  // namespace fineprint::text
