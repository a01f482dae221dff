import { type CSSVariablesResolver, MantineProvider, type MantineProviderProps } from "@mantine/core";

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
      cssVariablesResolver={cssVariables}
      getStyleNonce={() => nonce}
      getRootElement={noElement}
    />
  );
}

/** The colour scheme is set on the document by the `ThemeProvider` alone. */
function noElement(): undefined {}

/** Maps Mantine's colours to the store's design tokens. */
const FROM_TOKENS = {
  "--mantine-color-body": "var(--paper)",
  "--mantine-color-text": "var(--ink)",
  "--mantine-color-dimmed": "var(--ink-soft)",
  "--mantine-color-anchor": "var(--ink)",
  "--mantine-color-error": "var(--bad)",
  "--mantine-color-placeholder": "var(--ink-soft)",
  "--mantine-color-default": "var(--sheet)",
  "--mantine-color-default-hover": "var(--wash)",
  "--mantine-color-default-color": "var(--ink)",
  "--mantine-color-default-border": "var(--line-strong)",
  "--mantine-color-disabled": "var(--line)",
  "--mantine-color-disabled-color": "var(--ink-soft)",
};

const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: FROM_TOKENS,
  dark: FROM_TOKENS,
});
