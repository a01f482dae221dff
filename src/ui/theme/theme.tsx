import {
  createTheme,
  type MantineColorsTuple,
  MantineProvider,
  type MantineProviderProps,
} from "@mantine/core";

const marigold: MantineColorsTuple = [
  "#fff8e5",
  "#fff0c9",
  "#ffe199",
  "#ffd166",
  "#ffc53d",
  "#ffbe33",
  "#ffb81f",
  "#f2a200",
  "#b87700",
  "#7a4f00",
];

/** Light surfaces and lines; Mantine takes 4 for the borders of fields, which must stand out by 3:1. */
const gray: MantineColorsTuple = [
  "#faf9f5",
  "#f1efe7",
  "#e8e5da",
  "#dedacd",
  "#8b8675",
  "#858070",
  "#6b6759",
  "#4a5668",
  "#2c394c",
  "#152033",
];

/** Dark surfaces and their text; Mantine takes 0 for text, 4 for borders, 6 for fields, 7 for the page. */
const dark: MantineColorsTuple = [
  "#f0f1ec",
  "#d5dae0",
  "#aeb8c6",
  "#74849a",
  "#68778c",
  "#2b3748",
  "#182130",
  "#0f151e",
  "#0b1018",
  "#070a10",
];

const SYSTEM_FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Ubuntu, sans-serif';

export const theme = createTheme({
  primaryColor: "marigold",
  primaryShade: { light: 6, dark: 5 },
  autoContrast: true,
  colors: { marigold, gray, dark },
  black: "#152033",
  fontFamily: SYSTEM_FONT,
  headings: { fontFamily: "var(--font-display)", fontWeight: "700", textWrap: "balance" },
  defaultRadius: "sm",
  radius: { xs: "2px", sm: "6px", md: "10px", lg: "16px", xl: "24px" },
  cursorType: "pointer",
  respectReducedMotion: true,
  // A screen reader would read the arrow of each as an image.
  components: { NativeSelect: { defaultProps: { rightSectionProps: { "aria-hidden": true } } } },
});

/** What all providers of a page share. */
type ThemeProps = Required<Pick<MantineProviderProps, "theme">> & {
  /** Of style tags, for the Content-Security-Policy. */
  nonce: string;
};

/** Mantine's provider without its own style tags, which HTML allows in the head only: `ThemeStyles` puts them there. */
export function ThemeProvider({ nonce, ...props }: ThemeProps & Pick<MantineProviderProps, "children">) {
  return (
    <MantineProvider
      {...props}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
      withCssVariables={false}
      withGlobalClasses={false}
    />
  );
}

/** The style tags of a `ThemeProvider`, for the head: the provider of Mantine that writes them, around nothing. */
export function ThemeStyles({ theme, nonce }: ThemeProps) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
      getRootElement={noElement}
    />
  );
}

/** The colour scheme is set on the document by the `ThemeProvider` alone. */
function noElement(): undefined {}
