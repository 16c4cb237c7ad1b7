// Bytes of many encodings as text.
#include "fineprint/core/encoding.h"

#include <gtest/gtest.h>

namespace fineprint {
namespace {

using namespace std::string_view_literals;

struct Sample {
  const char* encoding;
  std::string_view bytes;
  const char* text;
};

constexpr Sample kSamples[] = {
    {"cp1250", "P\370\355stavi\232t\354 v \216\357\341ru opravila firma \330eho\370."sv,
     "Přístaviště v Žďáru opravila firma Řehoř."},
    {"cp1250", "Az \365rtorony \365re K\365r\366si Gerg\365, \351s Gy\365rben lakik."sv,
     "Az őrtorony őre Kőrösi Gergő, és Győrben lakik."},
    {"iso8859-2", "Latarnik nazywa si\352 Wojciech \257\363\263kiewski."sv,
     "Latarnik nazywa się Wojciech Żółkiewski."},
    {"cp1251",
     "\317\360\350\367\340\353 \357\356\361\270\353\352\340 \307\340\360\345\367\355\373\351 \356\362\360\345\354\356\355\362\350\360\356\342\340\353\350 \342 \354\340\345."sv,
     "Причал посёлка Заречный отремонтировали в мае."},
    {"koi8-r",
     "\363\315\317\324\322\311\324\305\314\330 \315\301\321\313\301: \351\327\301\316 \347\322\317\315\317\327"sv,
     "Смотритель маяка: Иван Громов"},
    {"iso8859-5", "\306\325\335\320 \321\330\333\325\342\320 \335\320 \337\320\340\336\334"sv,
     "Цена билета на паром"},
    {"cp1252", "Der H\374ter von Gr\374nsund hei\337t J\366rg Wei\337."sv,
     "Der Hüter von Grünsund heißt Jörg Weiß."},
    {"cp1252", "The keeper\222s fee is \24340 \226 see \247 3."sv,
     "The keeper’s fee is £40 – see § 3."},
    {"cp1252", "It costs 12 \200"sv, "It costs 12 €"},
    {"cp1253",
     "\317 \366\375\353\341\352\341\362 \364\357\365 \353\351\354\341\355\351\357\375 \345\337\355\341\351 \357 \315\337\352\357\362."sv,
     "Ο φύλακας του λιμανιού είναι ο Νίκος."},
    {"cp1254", "Fener bek\347isinin ad\375 \336\374kr\374 Y\375ld\375z."sv,
     "Fener bekçisinin adı Şükrü Yıldız."},
    {"cp1255",
     "\371\345\356\370 \344\356\342\343\354\345\370 \344\345\340 \343\345\343 \354\345\351"sv,
     "שומר המגדלור הוא דוד לוי"},
    {"cp1256",
     "\315\307\321\323 \307\341\343\344\307\321\311 \345\346 \323\307\343\355 \315\317\307\317"sv,
     "حارس المنارة هو سامي حداد"},
    {"cp1257", "B\342kas sargs ir J\342nis B\347rzi\362\360."sv, "Bākas sargs ir Jānis Bērziņš."},
    {"cp874",
     "\274\331\351\264\331\341\305\273\303\320\300\322\244\322\303\252\327\350\315\312\301\252\322\302"sv,
     "ผู้ดูแลประภาคารชื่อสมชาย"},
    {"cp932",
     "\215`,\215\202\202\263,\212\307\227\235\220l\n\215\367\222\254,24,\216R\223c\210\352\230Y\n"sv,
     "港,高さ,管理人\n桜町,24,山田一郎\n"},
    {"euc_jp",
     "\272\371\304\256\244\316\305\364\302\346\244\317\276\274\317\302\273\260\307\257\244\313\267\372\244\306\244\351\244\354\244\277\241\243"sv,
     "桜町の灯台は昭和三年に建てられた。"},
    {"iso2022_jp", "\033$B>>:j$NEtBf<i$ONkLZ<!O:$G$9!#\033(B"sv, "松崎の灯台守は鈴木次郎です。"},
    {"gb18030",
     "\260\327\311\263\270\333\265\304\302\353\315\267\323\332\266\376\251\226\266\376\322\273\304\352\326\330\275\250\241\243"sv,
     "白沙港的码头于二〇二一年重建。"},
    {"big5",
     "\254\365\276\360\264\344\252\272\251\323\245]\260\323\254O\263\257\244p\265\330\244\275\245q\241C"sv,
     "紅樹港的承包商是陳小華公司。"},
    {"cp949",
     "\307\252\270\245\307\327\300\307 \265\356\264\353\301\366\261\342\264\302 \261\350\271\316\274\366\300\314\264\331."sv,
     "푸른항의 등대지기는 김민수이다."},
    {"utf-16-le",
     "T\000h\000e\000 \000b\000e\000a\000c\000o\000n\000 \000o\000f\000 \000T\000h\000o\000r\000n\000b\000y\000 \000w\000a\000s\000 \000p\000a\000i\000n\000t\000e\000d\000 \000i\000n\000 \0002\0000\0001\0008\000.\000"sv,
     "The beacon of Thornby was painted in 2018."},
    {"utf-16-be",
     "\000T\000h\000e\000 \000b\000e\000a\000c\000o\000n\000 \000o\000f\000 \000T\000h\000o\000r\000n\000b\000y\000 \000w\000a\000s\000 \000p\000a\000i\000n\000t\000e\000d\000 \000i\000n\000 \0002\0000\0001\0008\000."sv,
     "The beacon of Thornby was painted in 2018."},
    {"utf-16-le",
     "!\004<\004>\004B\004@\0048\004B\0045\004;\004L\004 \000<\0040\004O\004:\0040\004:\000 \000\030\0042\0040\004=\004 \000\023\004@\004>\004<\004>\0042\004"sv,
     "Смотритель маяка: Иван Громов"},
};

TEST(EncodingTest, BytesTellTheirEncoding) {
  for (const Sample& sample : kSamples) {
    EXPECT_EQ(decode_text(sample.bytes).value_or("(unknown)"), sample.text) << sample.encoding;
  }
}

TEST(EncodingTest, DeclaredNamesMeanWhatIsSentUnderThem) {
  // A euro sign and quotes, which ISO 8859-1 does not have.
  EXPECT_EQ(decode_text("\200 35 \226 Can\222t"sv, "ISO-8859-1"), "€ 35 – Can’t");
  // A character of GBK that GB 2312 does not have.
  EXPECT_EQ(decode_text("\351F\273\371"sv, "gb2312"), "镕基");
  EXPECT_EQ(decode_text("\317\360\350"sv, "windows-1251"), "При");
  EXPECT_EQ(decode_text("\317\360\350"sv, "koi8-r"), "оПХ") << "believed, if it can be so";
}

TEST(EncodingTest, FalseDeclarationsAreNotBelieved) {
  const std::string text = "Der Hüter von Grünsund heißt Jörg Weiß.";
  for (const char* declared : {"us-ascii", "iso-8859-1", "utf-16", "x-unknown", "utf-8\"glued"}) {
    EXPECT_EQ(decode_text(text, declared), text) << declared;
  }
  EXPECT_EQ(decode_text("H\374ter und W\344chter"sv, "us-ascii"), "Hüter und Wächter");
  EXPECT_EQ(decode_text("H\374ter und W\344chter"sv, "utf-8"), "Hüter und Wächter");
}

TEST(EncodingTest, MarksAreBelievedAndRemoved) {
  EXPECT_EQ(decode_text("\357\273\277Stra\303\237e"sv), "Straße");
  EXPECT_EQ(decode_text("\377\376S\0\337\0"sv), "Sß");
  EXPECT_EQ(decode_text("\376\377\0S\0\337"sv), "Sß");
  EXPECT_EQ(decode_text("\377\376\0\0S\0\0\0"sv), "S");
}

TEST(EncodingTest, StrayBytesDoNotSpoilTheRest) {
  EXPECT_EQ(decode_text("Gr\303\274\303\237e, \303\244\377 \303\266\nEin Flu\337\n"sv),
            "Grüße, ä\uFFFD ö\nEin Fluß\n");
}

TEST(EncodingTest, WhatIsNoTextIsUnknown) {
  std::string noise;
  for (unsigned i = 0, x = 1; i < 600; ++i, x = x * 1103515245 + 12345) {
    noise += static_cast<char>(x >> 16 | 0x80);
  }
  EXPECT_EQ(decode_text(noise), std::nullopt);
  EXPECT_EQ(decode_text(""), "");
  EXPECT_EQ(decode_text("plain"), "plain");
}

TEST(EncodingTest, AGuessIsNotCertain) {
  EXPECT_EQ(decode_certain("plain"), "plain");
  EXPECT_EQ(decode_certain("Gr\303\274n"), "Grün");
  EXPECT_EQ(decode_certain("\377\376S\0\337\0"sv), "Sß");
  EXPECT_EQ(decode_certain("\317\360\350", "windows-1251"), "При");
  EXPECT_EQ(decode_certain("\317\360\350\367\340\353"), std::nullopt);
  EXPECT_NE(decode_text("\317\360\350\367\340\353"), std::nullopt);
}

TEST(EncodingTest, UsualNamesAreKnown) {
  EXPECT_EQ(usual_encodings().front(), "UTF-8");
  for (const std::string& name : usual_encodings()) EXPECT_TRUE(is_known_encoding(name)) << name;
}

TEST(EncodingTest, MarkupDeclaresItsEncoding) {
  EXPECT_EQ(declared_encoding("<html><META charset=Shift_JIS ><p>"), "Shift_JIS");
  EXPECT_EQ(declared_encoding("<meta http-equiv=\"Content-Type\" "
                              "content=\"text/html; charset=windows-1251\">"),
            "windows-1251");
  EXPECT_EQ(declared_encoding("<?xml version='1.0' encoding='koi8-r'?><FictionBook>"), "koi8-r");
  EXPECT_EQ(declared_encoding("<!-- <meta charset=big5> --><meta name=a><p>charset=x"), "");
  EXPECT_EQ(declared_as_utf8("<?xml encoding=\"big5\"?><meta charset=big5><p>charset=big5"),
            "<?xml encoding=\"utf-8\"?><meta charset=utf-8><p>charset=big5");
}

TEST(EncodingTest, NamesAreKnownInAnyCase) {
  for (const char* name : {"utf8", "CP1251", "euc-kr", "Shift-JIS", "latin1", "big5", "KOI8-R"}) {
    EXPECT_TRUE(is_known_encoding(name)) << name;
  }
  for (const char* name : {"", "klingon", "utf-8\"glued"}) {
    EXPECT_FALSE(is_known_encoding(name)) << name;
  }
}

}  // namespace
}  // namespace fineprint
