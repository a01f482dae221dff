import { MantineProvider, type MantineProviderProps } from "@mantine/core";

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
