import { type HotkeyItem, useHotkeys } from "@mantine/hooks";
import { useEffect } from "react";
import { create } from "zustand";

export interface Shortcut {
  /** In the syntax of Mantine's useHotkeys, such as `mod+S` or `J`. */
  keys: string;
  /** Its description in the list of shortcuts. */
  label: string;
  /** Without it the shortcut is only listed. */
  run?: (event: KeyboardEvent) => void;
}

/** Elements that handle keys themselves: fields, dialogs and menus. */
const KEEPS_KEYS =
  "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox]";

/** The shortcuts of the open screens, for the list that `?` opens. */
export const useShortcutList = create<{ sections: Record<string, Shortcut[]> }>(() => ({ sections: {} }));

/**
 * Registers shortcuts while the component is mounted, and lists them under `section`. They are off in fields,
 * dialogs and menus.
 */
export function useShortcuts(section: string, shortcuts: Shortcut[]): void {
  useHotkeys(shortcuts.flatMap(toHotkey), []);
  const shown = shortcuts.map(({ keys, label }) => `${keys}\t${label}`).join("\n");

  // Updates the list only when keys or labels change; the functions are new with every render.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shown` stands for the shortcuts
  useEffect(() => {
    useShortcutList.setState(({ sections }) => ({ sections: { ...sections, [section]: shortcuts } }));
    return () =>
      useShortcutList.setState(({ sections: { [section]: _gone, ...sections } }) => ({ sections }));
  }, [section, shown]);
}

/** Ignores the repeats of a key that is held down. */
export function ignoreRepeats(run: () => void): NonNullable<Shortcut["run"]> {
  return (event) => {
    if (!event.repeat) run();
  };
}

function toHotkey({ keys, run }: Shortcut): HotkeyItem[] {
  if (!run) return [];
  const runIfFree = (event: KeyboardEvent) => {
    if (event.target instanceof Element && event.target.closest(KEEPS_KEYS)) return;
    event.preventDefault();
    run(event);
  };
  return [[keys, runIfFree, { preventDefault: false }]];
}
