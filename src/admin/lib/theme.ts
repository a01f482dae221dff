import { Badge, type MantineColorsTuple, mergeThemeOverrides } from "@mantine/core";
import type { FormEvent } from "react";
import { asciiDigits } from "#shared/digits.ts";
import { theme as storeTheme } from "#ui/theme/theme.tsx";

/** Shades around the store's `--bad`; white text has enough contrast on 5 and 6. */
const red: MantineColorsTuple = [
  "#fbe7e3",
  "#f6cfc8",
  "#ffb3a8",
  "#ff9d90",
  "#d9594c",
  "#bf3528",
  "#a8231a",
  "#8c1c15",
  "#741711",
  "#5c120d",
];

/** Shades around the store's `--good`. */
const green: MantineColorsTuple = [
  "#e3f2e6",
  "#c6e6cd",
  "#a3dcb5",
  "#7fd6a0",
  "#3f9a63",
  "#207a48",
  "#14683a",
  "#10552f",
  "#0c4425",
  "#08331b",
];

/** Dialogs are outside the page's landmarks: a `header` in one would be a second banner. */
const PLAIN_HEADER = { defaultProps: { component: "div" } };

/** The second press of a double click on what opens a dialog would close it again, and a stray one would drop what was typed. */
const ONLY_BY_BUTTON = { closeOnClickOutside: false };

/** Mantine's fields for numbers leave out the digits of other scripts. This runs before they read what is typed. */
function typeAsciiDigits({ currentTarget: field }: FormEvent<HTMLInputElement>): void {
  const { value, selectionStart } = field;
  const ascii = asciiDigits(value);
  if (ascii === value) return;
  field.value = ascii;
  field.setSelectionRange(selectionStart, selectionStart);
}

/** The storefront's theme in smaller sizes, for work at a desk. */
export const theme = mergeThemeOverrides(storeTheme, {
  colors: { red, green },
  fontSizes: { xs: "0.8125rem", sm: "0.875rem", md: "0.9375rem" },
  components: {
    Badge: Badge.extend({ defaultProps: { tt: "none", fw: 600 } }),
    CloseButton: { defaultProps: { "aria-label": "Close" } },
    ModalHeader: PLAIN_HEADER,
    // It goes at once, as what it is about goes with it: an empty box would fade.
    Modal: {
      defaultProps: {
        transitionProps: { duration: 200, transition: "fade-down", exitDuration: 0 },
        ...ONLY_BY_BUTTON,
      },
    },
    // Two fingers, or Ctrl and the wheel, enlarge the console also while a dialog is over it.
    ModalRoot: { defaultProps: { removeScrollProps: { allowPinchZoom: true } } },
    Drawer: { defaultProps: ONLY_BY_BUTTON },
    DrawerHeader: PLAIN_HEADER,
    NumberInput: { defaultProps: { onInput: typeAsciiDigits } },
    PasswordInput: {
      defaultProps: {
        visibilityToggleFocusable: true,
        visibilityToggleButtonProps: { "aria-label": "Show password" },
      },
    },
  },
});
