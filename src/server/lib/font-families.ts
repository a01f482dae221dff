/** Fonts of the packages @expo-google-fonts, for the scripts that people in India write. */
export interface FontFamily {
  /** Prefix of its file names. */
  name: string;
  /** Name of its package in @expo-google-fonts. */
  folder: string;
  /** Matches characters for which the family is tried. */
  covers: RegExp;
}

/** Contains Latin with ₹, Greek, Cyrillic and Devanagari. */
export const BASE_FONT: FontFamily = { name: "NotoSans", folder: "noto-sans", covers: /./su };

/** The other official scripts of India, and emoji. */
export const OTHER_FONTS: FontFamily[] = [
  { name: "NotoSansBengali", folder: "noto-sans-bengali", covers: /\p{Script=Bengali}/u },
  { name: "NotoSansGurmukhi", folder: "noto-sans-gurmukhi", covers: /\p{Script=Gurmukhi}/u },
  { name: "NotoSansGujarati", folder: "noto-sans-gujarati", covers: /\p{Script=Gujarati}/u },
  { name: "NotoSansOriya", folder: "noto-sans-oriya", covers: /\p{Script=Oriya}/u },
  { name: "NotoSansTamil", folder: "noto-sans-tamil", covers: /\p{Script=Tamil}/u },
  { name: "NotoSansTelugu", folder: "noto-sans-telugu", covers: /\p{Script=Telugu}/u },
  { name: "NotoSansKannada", folder: "noto-sans-kannada", covers: /\p{Script=Kannada}/u },
  { name: "NotoSansMalayalam", folder: "noto-sans-malayalam", covers: /\p{Script=Malayalam}/u },
  { name: "NotoSansMeeteiMayek", folder: "noto-sans-meetei-mayek", covers: /\p{Script=Meetei_Mayek}/u },
  { name: "NotoSansOlChiki", folder: "noto-sans-ol-chiki", covers: /\p{Script=Ol_Chiki}/u },
  { name: "NotoSansArabic", folder: "noto-sans-arabic", covers: /\p{Script=Arabic}/u },
  { name: "NotoEmoji", folder: "noto-emoji", covers: /\p{Extended_Pictographic}|\p{Regional_Indicator}/u },
];
