// The letters and words by which encodings are guessed: one row for each language.
#include "core/encoding_letters.h"

namespace fineprint {
namespace {

using enum Writing;

// Latin letters of ASCII are left out of the letters: every encoding has them at the same bytes.
constexpr LettersRow kRows[] = {
    {"en", latin, "é", "the of and to in is was for that with"},
    {"de", latin, "üäöß", "der die und das den von zu mit ist nicht"},
    {"fr", latin, "éèàêçâîôùûëïœæ", "le la les de et des est du une pour"},
    {"es", latin, "óíáéñúü¿¡", "de la que el en los del las con por"},
    {"pt", latin, "ãçáéóõíêúâôàü", "de que do da em um para os uma com"},
    {"it", latin, "àèéòùì", "di che la il per un del non della sono"},
    {"nl", latin, "ëéïèöü", "de het een van en is dat niet voor op"},
    {"da", latin, "åøæé", "i og er det at en af til den som med ikke"},
    {"sv", latin, "äåöé", "i och att det som en av den med till inte"},
    {"fi", latin, "äöå", "ja on ei se oli ovat kun mutta"},
    {"is", latin, "íáðéöúýþóæ", "í og er var sem til ekki um"},
    {"et", latin, "äõüöšž", "ja on ei et ta oli see kui"},
    {"hu", latin, "áéöóőüíúű", "a az és nem hogy egy is volt meg"},
    {"cs", latin, "íáéěřčýžšůúťňóď", "a je se na to byl za že od pro"},
    {"sk", latin, "áíéčýžšľúťôňóďäŕĺ", "a je sa na to bol za od pre"},
    {"pl", latin, "ąłęóśżćńź", "i w na do nie się jest że od za przez"},
    {"ro", latin, "ăîâșțşţ", "de la nu cu este pe din un o"},
    {"hr", latin, "čšžćđ", "je i u na se za od su da"},
    {"tr", latin, "ıüşğöçâîû", "ve bir bu da için ile çok olan"},
    {"lv", latin, "āīēšūžķļģņč", "un ir no par ar kas"},
    {"lt", latin, "ėšąžųįūęč", "ir yra kad su iš tai"},
    {"sq", latin, "ëç", "e një dhe në të me për"},
    {"ru", alphabet, "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё", "и в не на что с по из для"},
    {"uk", alphabet, "оаинвтіерсклудмпзьябгйчхцїжющєфшґ", "і в на що з не та до"},
    {"bg", alphabet, "аоиентсрвлкдпмзугябъйчшжхцщюьф", "и на в за се от с да е"},
    {"sr", alphabet, "аоиентсрјувдкпмлзгбчшцжњљћђхфџ", "и у на је се за од да"},
    {"be", alphabet, "аінеорыстлкудмяпвзьгўбчшйцжхёюэф", "і у на не што з да"},
    {"el", alphabet, "αοιετσνηυρπκμλωςγδχθφβξζψίάόέήύώϊϋΐΰ", "και το η ο του της να των"},
    {"he", alphabet, "יוהלאתרבשמנםדקחעפכטגצסזןךףץ", "של את על לא הוא היא"},
    {"ar", alphabet, "اليمنوتربهدعسفكقةحجىشصطخضذأإغثئزظءؤآ", "في من على إلى هو"},
    {"fa", alphabet, "اریندمهوتبشسکزگلقخفعپجچطحصغضژظآثذ", "و در به از که"},
    {"th", alphabet, "านรอกเงมยลวดทสตะปบคหจพชขใไโแผ่้์ีิัุูำึืณศธฉฟถซญษภๆ", ""},
    {"zh", ideographs,
     "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过"
     "发后"
     "作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开"
     "但因"
     "只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物"
     "手应"
     "战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通"
     "教儿"
     "原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受"
     "目太"
     "量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白"
     "却界"
     "达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观"
     "清今"
     "切院让识候带导争运",
     ""},
    {"zh-Hant", ideographs,
     "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過"
     "發後"
     "作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開"
     "但因"
     "只從想實日軍者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物"
     "手應"
     "戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度門任常先海通"
     "教兒"
     "原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電數安少報才結反受"
     "目太"
     "量再感建務做接必場件計管期市直德資命山金指克許統區保至隊形社便空決治展馬科司五基眼書非則聽白"
     "卻界"
     "達光放強即像難且權思王象完設式色路記南品住告類求據程北邊死張該交規萬取拉格望覺術領共確傳師觀"
     "清今"
     "切院讓識候帶導爭運",
     ""},
    {"ja", ideographs,
     "のにはたをいとるがしてでなっれらもすりこだまさきめくあけどよかえそわつちせやおみうろびばほぎ"
     "げねひ"
     "ンストルイーラリアクドシタッフロレジコムテマュサグカプメバニ"
     "日一国人年大十二本中長出三時行見月分後前生五間上東四今金九入学高円子外八六下来気小七山話女北"
     "書先名川千水半男西電校語土木聞食車何南万毎白天母火会同事自社発者地業方新場員立開手力問代明動"
     "京目"
     "通言理体田主題意不作用度強公持野以思家世多正安院心界教文元重近考海売知道集別物品計特私始運台"
     "広住"
     "真有口少町料工建空送藤佐村井島松林清郎屋市区県番号",
     ""},
    {"ko", ideographs,
     "이다의에는을를은가고하한지사도로기자대서인아어리스시나해전정일수부장주과원제그보구오적으성비"
     "상동조"
     "관여우연소들라만공안무신경유년것용국세선화되방산중학업면된계생모와했있치간게요미회개문트마발"
     "행분교"
     "물입위내드할진통단민러명달재식금력법작당음급거니등체결호르프열외양태크운건속최터육네임추약심"
     "김박말",
     ""},
};

}  // namespace

std::span<const LettersRow> letters_rows() { return kRows; }

}  // namespace fineprint
