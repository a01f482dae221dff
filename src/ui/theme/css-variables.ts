import type { CSSVariablesResolver } from "@mantine/core";

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

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: FROM_TOKENS,
  dark: FROM_TOKENS,
});
