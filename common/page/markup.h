// What HTML pages and SVG pictures share: escaped text, numbers, and colours.
#pragma once

#include <string>
#include <string_view>

namespace edgemill {

/// `text` for the inside of an element or of a quoted attribute. Control characters and bytes that
/// are not UTF-8 become U+FFFD, because XML has no place for them.
std::string EscapeMarkup(std::string_view text);

/// A length in a drawing, with one decimal: "12.5", "12".
std::string LengthText(double length);

/// How many hues there are. Charts refer to a colour by its number, the hue, so that a page can
/// show other colours on a dark screen. Hues 0 to 6 are told apart with any colour vision (after
/// Okabe and Ito, 2008); the last one is grey.
inline constexpr int kNumHues = 8;
inline constexpr int kBlue = 0, kVermilion = 1, kGreen = 2, kPurple = 3, kOrange = 4, kSky = 5,
                     kYellow = 6, kGrey = 7;

/// CSS that gives every hue, ink and ground its colour, on light and dark screens and on paper.
std::string_view ColorStyle();

}  // namespace edgemill
