"""The test documents in other languages than English, and their questions.

make-test-data uses this. German and French are set in the base fonts of PDF, Chinese in the Droid
Sans Fallback that MuPDF carries (Apache License 2.0), and Arabic in DejaVu Sans (Debian's
fonts-dejavu-core, whose licence permits embedding). The files contain only the glyphs that they
use. All content is invented.
"""

import pathlib

import pymupdf

A4 = (595, 842)
MADE_ON = "D:20240318090000Z"
PRODUCER = "fineprint test data"
DEJAVU = pathlib.Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
AREA = pymupdf.Rect(64, 64, 531, 790)

GERMAN = [
    ("Geschäftsbericht 2023", [
        "Stadtwerke Möwenhafen GmbH",
        "Dieser Bericht beschreibt das Geschäftsjahr vom 1. Januar bis zum 31. Dezember 2023. "
        "Er enthält den Lagebericht, die Angaben zu Strom, Wasser und Fernwärme sowie den "
        "Ausblick auf das kommende Jahr. Alle Beträge sind, soweit nicht anders angegeben, in "
        "Euro genannt."]),
    ("Vorwort der Geschäftsführung", [
        "Sehr geehrte Damen und Herren, hinter uns liegt ein Jahr mit stark schwankenden "
        "Preisen. Unsere Kundinnen und Kunden haben gespart, wo es ging, und unsere "
        "Beschäftigten haben die Versorgung zu jeder Stunde gesichert.",
        "Wir danken dem Aufsichtsrat, den Gesellschaftern und allen, die für uns arbeiten. Die "
        "Umstellung auf erneuerbare Quellen bleibt unsere wichtigste Aufgabe; bis zum Jahr 2035 "
        "soll die Erzeugung ohne Kohle auskommen."]),
    ("Strom", [
        "Der Absatz von Strom ging um 3,1 % auf 486,2 GWh zurück. Die Umsatzerlöse der Sparte "
        "Strom stiegen dagegen auf 96,7 Mio. Euro, weil die Preise an den Börsen im Frühjahr "
        "höher lagen als im Jahr davor.",
        "Das Netz umfasst 1.284 Kilometer. Im Berichtsjahr wurden 2.310 neue Zähler eingebaut; "
        "die mittlere Dauer einer Unterbrechung betrug 11,4 Minuten je Anschluss."]),
    ("Fernwärme", [
        "An das Netz der Fernwärme waren am Jahresende 5.620 Gebäude angeschlossen. Die Sparte "
        "erzielte Umsatzerlöse von 18,4 Mio. Euro nach 16,9 Mio. Euro im Vorjahr. Die Verluste "
        "im Netz sanken auf 9,8 %.",
        "Die Leitung vom Heizkraftwerk Nordkai zur Altstadt wurde im 3. Quartal erneuert. Damit "
        "ist der erste Abschnitt des Ausbaus abgeschlossen, z. B. in der Gerberstraße und am "
        "Speicherplatz."]),
    ("Wasser", [
        "Im Jahr 2023 wurden 7,9 Mio. Kubikmeter Trinkwasser abgegeben. Der Verbrauch je "
        "Einwohner lag bei 118 Litern am Tag. Die Gebühren blieben unverändert.",
        "Das neue Wasserwerk Dünenfeld ging am 12. März 2024 nach zwei Jahren Bauzeit in "
        "Betrieb. Es ersetzt das Werk Ost, das seit 1961 lief. Die Kosten des Baus betrugen "
        "23.750.000 Euro und blieben im Rahmen des Plans."]),
    ("Personal", [
        "Zum 31. Dezember 2023 zählte das Unternehmen 412 Mitarbeiterinnen und Mitarbeiter, "
        "davon 37 in Ausbildung. Ein Jahr davor waren es 398. Das mittlere Alter lag bei 44,6 "
        "Jahren.",
        "Die Quote der Frauen in Führungspositionen stieg auf 31,5 %. Für die Weiterbildung "
        "wurden 640.000 Euro ausgegeben. Der Krankenstand ging auf 5,2 % zurück."]),
    ("Investitionen und Finanzierung", [
        "Insgesamt wurden 41,3 Mio. Euro in Anlagen und Netze investiert, mehr als in jedem "
        "Jahr zuvor. Der größte Teil entfiel auf Leitungen und auf die Umrüstung der Werke.",
        "Die Verbindlichkeiten gegenüber Banken erhöhten sich auf 112,6 Mio. Euro. Der "
        "durchschnittliche Zinssatz der Darlehen belief sich auf 2,35 %. Das Eigenkapital "
        "machte 38 % der Bilanzsumme aus."]),
    ("Ausblick", [
        "Für 2024 rechnen wir mit einem Ergebnis auf der Höhe des Berichtsjahres. Die Preise "
        "für Gas und Strom dürften sich beruhigen, die Löhne dagegen steigen.",
        "Die Versammlung der Gesellschafter findet am 14. Juni 2024 im Rathaus statt. Den "
        "Vorsitz im Aufsichtsrat führt weiterhin Frau Dr. Henrike Sandvoß."]),
]

FRENCH = [
    ("Rapport d'activité 2023", [
        "Coopérative laitière de Valmorne",
        "Ce rapport présente l'exercice clos le 31 décembre 2023. Il décrit la collecte, les "
        "produits, les ventes, le personnel et les projets de la coopérative. Sauf mention "
        "contraire, les montants sont exprimés en euros."]),
    ("Message de la présidente", [
        "Chers adhérents, l'année écoulée a été marquée par la sécheresse de l'été et par la "
        "hausse du prix des aliments. Les éleveurs ont tenu bon, et nos ateliers n'ont jamais "
        "cessé de tourner.",
        "Je remercie les producteurs, les chauffeurs et toute l'équipe. Notre coopérative, "
        "fondée en 1952, reste la propriété de celles et ceux qui lui livrent leur lait."]),
    ("La collecte", [
        "En 2023, nos camions ont recueilli 48 250 000 litres de lait auprès de 214 "
        "exploitations, soit 1,8 % de moins que l'année précédente. La teneur moyenne en "
        "matière grasse s'est établie à 41,2 grammes par litre.",
        "Les tournées couvrent 3 460 kilomètres par jour. Quatre véhicules fonctionnent "
        "désormais au biogaz produit sur le site de Pont-Aubert."]),
    ("Le prix du lait", [
        "Le prix moyen versé aux producteurs a atteint 452,80 euros les mille litres, primes "
        "comprises, contre 431,50 euros un an plus tôt. La prime pour le lait biologique est "
        "restée fixée à 95 euros.",
        "Le conseil a décidé de verser un complément de 6 euros en avril. Les acomptes sont "
        "payés le 10 de chaque mois."]),
    ("La nouvelle fromagerie", [
        "La fromagerie des Trois-Chênes a ouvert ses portes le 3 septembre 2023, après quatorze "
        "mois de travaux. Elle peut affiner 1 200 tonnes de tomme par an dans ses caves.",
        "Le chantier a coûté 7,4 millions d'euros, dont 1,1 million de subventions de la "
        "région. Les visites du public ont lieu le mercredi et le samedi, p. ex. pour les "
        "écoles."]),
    ("Les ventes", [
        "Le chiffre d'affaires s'élève à 63,9 millions d'euros, en hausse de 5,6 %. Les "
        "fromages en représentent 58 %, le beurre 22 % et les yaourts le reste.",
        "L'exportation vers la Belgique et l'Italie a progressé de 12 %. Le magasin de vente "
        "directe a accueilli 86 000 clients."]),
    ("Le personnel", [
        "L'effectif de la coopérative comptait 173 salariés à la fin de l'exercice, dont 29 "
        "chauffeurs. Onze apprentis ont été formés dans les ateliers.",
        "Le taux de fréquence des accidents a baissé pour la troisième année. M. Lucien "
        "Rocheval dirige l'ensemble des sites depuis 2019."]),
    ("Les projets", [
        "En 2024, la coopérative installera 2 900 mètres carrés de panneaux solaires et "
        "remplacera la chaudière de la beurrerie. Le budget de ces projets est de 3,2 millions "
        "d'euros.",
        "L'assemblée générale se tiendra le 24 mai 2024 à la salle des fêtes de Valmorne."]),
]

CHINESE = [
    ("2023年年度报告", [
        "海澜岛渡轮有限公司",
        "本报告涵盖2023年1月1日至2023年12月31日的经营情况。报告包括航线、票务、船队、员工、"
        "财务和未来计划。除另有说明外，金额均以人民币元为单位。"]),
    ("董事长致辞", [
        "各位股东：过去一年，台风多次影响海上交通，但全体员工坚守岗位，保证了岛上居民的出行。",
        "我们感谢每一位乘客的信任。公司成立于1987年，始终以安全为第一目标。未来几年，我们将逐步"
        "使用电动渡轮，减少排放。"]),
    ("航线与客运", [
        "全年共开行航班31,640班，运送旅客582万人次，比上年增长9.4%。其中，东线占总客运量的46%。",
        "准点率为97.2%。因大风停航的天数为18天，比上年多5天。夏季周末的平均上座率达到91%。"]),
    ("财务情况", [
        "本年度公司实现营业收入3.86亿元，比上年增长12.7%。营业成本为2.94亿元，净利润为4,120万元。",
        "年末资产总额为11.3亿元，资产负债率为41.5%。公司全年支付利息1,860万元，没有逾期贷款。"]),
    ("员工", [
        "截至年末，全公司共有员工1,248名，其中船员736名，平均年龄39岁。女性员工占28%。",
        "公司全年举办安全培训64次，参加人数超过3,000人次。新入职员工必须完成六周的学习才能上岗。"]),
    ("码头与设施", [
        "位于月牙湾的新码头于2023年9月18日正式启用，候船厅面积为5,200平方米。旧码头将改建为"
        "海洋博物馆。",
        "码头工程总投资1.75亿元，历时26个月。新的售票系统支持手机购票，排队时间缩短了一半。"]),
    ("船队", [
        "公司现有渡轮22艘，其中电动渡轮4艘。最大的渡轮“海澜星”号可载客900人。",
        "全年维修费用为2,730万元。两艘使用超过二十五年的旧船已经退役，拆解工作由外部船厂负责。"]),
    ("未来计划", [
        "2024年，公司计划再购买三艘电动渡轮，预算为1.2亿元。北线将在春节前增加夜班。",
        "股东大会将于2024年5月20日在公司总部召开。董事会由九名董事组成，董事长为陆怀川。"]),
]

ARABIC = [
    ("التقرير السنوي ٢٠٢٣", [
        "متحف الواحة الزرقاء",
        "يغطي هذا التقرير السنة المنتهية في ٣١ ديسمبر ٢٠٢٣. ويعرض أعمال المتحف في المعارض "
        "والزوار والتذاكر والعاملين والمكتبة والخطط القادمة. جميع المبالغ بالدينار ما لم يذكر "
        "غير ذلك."]),
    ("كلمة المديرة", [
        "مرت على المتحف سنة مليئة بالعمل. فتحنا أبواب المتحف للمدارس والعائلات، وأعدنا ترتيب "
        "المخازن، ونشرنا دليلًا جديدًا للمجموعات.",
        "نشكر المتطوعين والداعمين على ما قدموه. تأسس المتحف في عام ١٩٧٤ وما زال مفتوحًا لكل "
        "من يحب تاريخ الواحة."]),
    ("الزوار", [
        "استقبل المتحف ١٨٤٬٥٠٠ زائر خلال عام ٢٠٢٣، أي بزيادة قدرها ١١٫٦٪ عن العام السابق. "
        "وكان شهر أبريل أكثر الشهور ازدحامًا.",
        "جاء ثلث الزوار من خارج البلاد. وبلغ متوسط مدة الزيارة ٩٥ دقيقة بحسب استطلاع شارك فيه "
        "٢٬٣٠٠ شخص."]),
    ("القاعات والمعارض", [
        "افتُتحت قاعة الفخار الجديدة في ١٢ مارس ٢٠٢٣ بعد عامين من أعمال الترميم. وتعرض القاعة "
        "٣٤٠ قطعة لم يسبق عرضها.",
        "نظم المتحف ستة معارض مؤقتة، أكبرها معرض الحلي الفضية الذي استمر أربعة أشهر. وأغلقت "
        "قاعة العملات للصيانة."]),
    ("التذاكر والإيرادات", [
        "بلغت إيرادات بيع التذاكر ٢٫٣ مليون دينار، بينما حقق متجر الهدايا ٤١٠ آلاف دينار. "
        "وارتفع سعر التذكرة إلى ١٥ دينارًا.",
        "يدخل الأطفال دون الثانية عشرة مجانًا. وتشكل المنح الحكومية ٣٧٪ من دخل المتحف."]),
    ("العاملون", [
        "يعمل في المتحف ٩٨ موظفًا و٤٥ متطوعًا. وقد انضم خلال السنة سبعة مرممين إلى قسم الصيانة.",
        "حضر العاملون ٢٢ دورة تدريبية في السلامة وحفظ القطع. ويرأس قسم المجموعات الدكتور سليم "
        "الرمحاني."]),
    ("المكتبة والأرشيف", [
        "تضم المكتبة ٢٧٬٨٠٠ كتاب ومخطوط، ورُقم منها ٦٬٤٠٠ مخطوط حتى الآن. ويمكن للباحثين طلب "
        "النسخ عبر الموقع.",
        "أهدت عائلة الكيلاوي المتحف مجموعة من الخرائط القديمة يعود أقدمها إلى القرن السادس عشر."]),
    ("الخطط القادمة", [
        "يعتزم المتحف في عام ٢٠٢٤ بناء مركز للأطفال بتكلفة ٨٥٠ ألف دينار، وتركيب ألواح شمسية "
        "على السطح.",
        "يجتمع مجلس الأمناء في ٢٠ مايو ٢٠٢٤. وستصدر النسخة القادمة من هذا التقرير في بداية عام "
        "٢٠٢٥."]),
]

QUESTIONS = [
    ("de-01", "Wie viele Beschäftigte hatten die Stadtwerke Ende 2023?", "412", 6),
    ("de-02", "Wie hoch waren die Umsatzerlöse der Fernwärme im Jahr 2023?", "18,4 Mio. Euro", 4),
    ("de-03", "Wann wurde das neue Wasserwerk in Betrieb genommen?", "12. März 2024", 5),
    ("de-04", "Um wie viel Prozent ist der Absatz des Stroms zurückgegangen?", "3,1 %", 3),
    ("fr-01", "Combien de litres de lait la coopérative a-t-elle collectés en 2023 ?",
     "48 250 000", 3),
    ("fr-02", "Quand la nouvelle fromagerie a-t-elle été ouverte ?", "3 septembre 2023", 5),
    ("fr-03", "Quel prix moyen a été versé au producteur pour mille litres ?", "452,80 euros", 4),
    ("fr-04", "Combien d'exploitations livrent leur lait à la coopérative ?", "214", 3),
    ("zh-01", "2023年公司的营业收入是多少？", "3.86亿元", 4),
    ("zh-02", "公司一共有多少名员工？", "1,248名", 5),
    ("zh-03", "新码头是什么时候启用的？", "2023年9月18日", 6),
    ("zh-04", "公司现在有几艘电动渡轮？", "4艘", 7),
    ("ar-01", "كم عدد زوار المتحف في عام ٢٠٢٣؟", "١٨٤٬٥٠٠", 3),
    ("ar-02", "متى افتتحت القاعة الجديدة للفخار؟", "١٢ مارس ٢٠٢٣", 4),
    ("ar-03", "كم بلغت إيرادات التذاكر؟", "٢٫٣ مليون دينار", 5),
    ("ar-04", "كم يبلغ عدد موظفي المتحف؟", "٩٨", 6),
]


def new_book(title):
    doc = pymupdf.open()
    doc.set_metadata({
        "title": title, "author": PRODUCER, "producer": PRODUCER, "creator": PRODUCER,
        "creationDate": MADE_ON, "modDate": MADE_ON,
    })
    return doc


def save(doc, path):
    doc.subset_fonts()
    doc.save(path, garbage=4, deflate=True, no_new_id=True)
    doc.close()


def wrapped(text, font, size, width, breaks_anywhere):
    """Breaks a text into lines. With `breaks_anywhere`, for text without blanks, a line may end
    before any character except a punctuation mark."""
    def length(line):  # all characters of the Chinese font have the same width
        return len(line) * size if breaks_anywhere else font.text_length(line, fontsize=size)

    parts = list(text) if breaks_anywhere else [word + " " for word in text.split()]
    lines, line = [], ""
    for part in parts:
        longer = length((line + part).rstrip()) > width
        if line and longer and not (breaks_anywhere and part in "，。、；：”）"):
            lines.append(line.rstrip())
            line = ""
        line += part
    return lines + [line.rstrip()]


def make_plain(path, pages, names, breaks_anywhere=False):
    """Makes a page with heading and paragraphs for each section; `names` are the fonts of heading
    and text."""
    doc = new_book(pages[0][0])
    for number, (heading, paragraphs) in enumerate(pages, start=1):
        page = doc.new_page(width=A4[0], height=A4[1])
        fonts = {}
        for name in names:
            fonts[name] = pymupdf.Font(name)
            if breaks_anywhere:
                page.insert_font(fontname=name, fontbuffer=fonts[name].buffer)
        y = AREA.y0 + 18
        page.insert_text((AREA.x0, y), heading, fontname=names[0], fontsize=18)
        y += 40
        for text in paragraphs:
            for line in wrapped(text, fonts[names[1]], 11, AREA.width, breaks_anywhere):
                page.insert_text((AREA.x0, y), line, fontname=names[1], fontsize=11)
                y += 17
            y += 10
        page.insert_text((290, 815), str(number), fontname=names[1], fontsize=9)
    save(doc, path)


def make_arabic(path):
    """Makes the Arabic document with MuPDF's HTML layout, which joins letters and sets text from
    right to left."""
    if not DEJAVU.exists():
        raise SystemExit(f"{DEJAVU} is missing: install it with apt-get install fonts-dejavu-core")
    doc = new_book(ARABIC[0][0])
    css = ("@font-face { font-family: dejavu; src: url(DejaVuSans.ttf); }"
           "* { font-family: dejavu; } p { font-size: 11px; line-height: 1.6; }")
    archive = pymupdf.Archive(str(DEJAVU.parent))
    for heading, paragraphs in ARABIC:
        page = doc.new_page(width=A4[0], height=A4[1])
        body = "".join(f'<p dir="rtl">{text}</p>' for text in paragraphs)
        page.insert_htmlbox(AREA, f'<h2 dir="rtl">{heading}</h2>{body}', css=css, archive=archive)
    save(doc, path)


def make_documents(folder):
    make_plain(folder / "stadtwerke-de.pdf", GERMAN, ("hebo", "helv"))
    make_plain(folder / "cooperative-fr.pdf", FRENCH, ("tibo", "tiro"))
    make_plain(folder / "ferry-zh.pdf", CHINESE, ("china-s", "china-s"), breaks_anywhere=True)
    make_arabic(folder / "museum-ar.pdf")


DOCUMENTS = {"de": "stadtwerke-de.pdf", "fr": "cooperative-fr.pdf", "zh": "ferry-zh.pdf",
             "ar": "museum-ar.pdf"}


def questions():
    """Yields the questions. They are asked over all documents at once; none names its document."""
    for identity, question, answer, page in QUESTIONS:
        evidence = [{"doc": DOCUMENTS[identity[:2]], "page": page}]
        yield {"id": identity, "question": question, "answer": answer, "answer_format": "Str",
               "evidence_pages": evidence}
