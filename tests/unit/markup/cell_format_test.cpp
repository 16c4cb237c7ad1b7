// Numbers and texts of sheets as their formats show them.
#include "markup/office/cell_format.h"

#include <gtest/gtest.h>

namespace fineprint::markup {
namespace {

std::string shown(const std::string& value, const std::string& code) {
  return shown_value(value, code, false);
}

TEST(CellFormat, Numbers) {
  EXPECT_EQ(shown("0.30000000000000004", "General"), "0.3");
  EXPECT_EQ(shown("1234.5", "#,##0.00"), "1,234.50");
  EXPECT_EQ(shown("1234567.5", "\"$\"#,##0.00"), "$1,234,567.50");
  EXPECT_EQ(shown("1250.5", "[$€-407] #,##0.00"), "€ 1,250.50");
  EXPECT_EQ(shown("1234", "00000"), "01234");
  EXPECT_EQ(shown("12", "#,##0"), "12");
  EXPECT_EQ(shown("1000", "#,##0"), "1,000");
  EXPECT_EQ(shown("7", "0,000"), "0,007");
  EXPECT_EQ(shown("0", "#"), "");
  EXPECT_EQ(shown("0.5", "#.##"), ".5");
  EXPECT_EQ(shown("3", "0.##"), "3");
  EXPECT_EQ(shown("0.125", "0.00"), "0.13");
  EXPECT_EQ(shown("1.005", "0.00"), "1.01");
  EXPECT_EQ(shown("-1.5", "0.0"), "-1.5");
  EXPECT_EQ(shown("-0.01", "0.0"), "0.0");
  EXPECT_EQ(shown("123456789", "000-00-0000"), "123-45-6789");
  EXPECT_EQ(shown("5", "0.00\" kg\""), "5.00 kg");
  EXPECT_EQ(shown("5", "0\\ \\m"), "5 m");
  EXPECT_EQ(shown("nonsense", "0.00"), "nonsense");
}

TEST(CellFormat, SharesScalesAndPowers) {
  EXPECT_EQ(shown("0.653035934239184", "0.0%"), "65.3%");
  EXPECT_EQ(shown("12400000", "0.0,,\"M\""), "12.4M");
  EXPECT_EQ(shown("45678", "0.0,"), "45.7");
  EXPECT_EQ(shown("1234567", "#,##0,"), "1,235");
  EXPECT_EQ(shown("12345", "0.00E+00"), "1.23E+04");
  EXPECT_EQ(shown("0.00012", "0.0E-0"), "1.2E-4");
  EXPECT_EQ(shown("12345", "##0.0E+0"), "12.3E+3");
  EXPECT_EQ(shown("9.999", "0.0E+0"), "1.0E+1");
}

TEST(CellFormat, Fractions) {
  EXPECT_EQ(shown("1.75", "# ?/?"), "1 3/4");
  EXPECT_EQ(shown("0.3333333", "# ?/?"), "1/3");
  EXPECT_EQ(shown("2", "# ?/?"), "2");
  EXPECT_EQ(shown("0.0625", "# ?\?/?\?"), "1/16");
  EXPECT_EQ(shown("0.5", "# ?/8"), "4/8");
  EXPECT_EQ(shown("1.999", "# ?/?"), "2");
}

TEST(CellFormat, Sections) {
  EXPECT_EQ(shown("-20076", "#,##0;(#,##0)"), "(20,076)");
  EXPECT_EQ(shown("0", "0;-0;\"none\""), "none");
  EXPECT_EQ(shown("5", "[>=100]\"many\";[<10]\"few\";0"), "few");
  EXPECT_EQ(shown("500", "[>=100]\"many\";[<10]\"few\";0"), "many");
  EXPECT_EQ(shown("50", "[>=100]\"many\";[<10]\"few\";0"), "50");
  EXPECT_EQ(shown("-4", "[Red][<0]0\" lost\";0"), "4 lost");
  EXPECT_EQ(shown("7", ";;;"), "");
  EXPECT_EQ(shown_text("Hull", "0;0;0;\"port of \"@"), "port of Hull");
  EXPECT_EQ(shown_text("Hull", "@\" (port)\""), "Hull (port)");
  EXPECT_EQ(shown_text("0123", "00000"), "0123");
}

TEST(CellFormat, DatesAndTimes) {
  EXPECT_EQ(shown("45426", "dd/mm/yyyy"), "14/05/2024");
  EXPECT_EQ(shown("45426", "d mmmm yyyy"), "14 May 2024");
  EXPECT_EQ(shown("45426", "ddd, mmm d, yy"), "Tue, May 14, 24");
  EXPECT_EQ(shown("45426.75", "m/d/yy h:mm"), "5/14/24 18:00");
  EXPECT_EQ(shown("45426.75", "h:mm AM/PM"), "6:00 PM");
  EXPECT_EQ(shown("1.75", "[h]:mm"), "42:00");
  EXPECT_EQ(shown("0.5", "hh:mm:ss"), "12:00:00");
  EXPECT_EQ(shown("0.0000347222", "mm:ss.0"), "00:03.0");
  EXPECT_EQ(shown("1", "yyyy-mm-dd"), "1900-01-01");
  EXPECT_EQ(shown("59", "yyyy-mm-dd"), "1900-02-28");
  EXPECT_EQ(shown("61", "yyyy-mm-dd"), "1900-03-01");
  EXPECT_EQ(shown("45000.9999999", "yyyy-mm-dd hh:mm"), "2023-03-16 00:00");
  EXPECT_EQ(shown("-3", "yyyy-mm-dd"), "-3");
  EXPECT_EQ(shown("1e300", "yyyy-mm-dd"), "1e+300");
  EXPECT_EQ(shown_value("45426", "yyyy-mm-dd", true), "2028-05-15");
}

}  // namespace
}  // namespace fineprint::markup
