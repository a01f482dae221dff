import { type HotkeyItem, useHotkeys } from "@mantine/hooks";
import { useEffect } from "react";
import { create } from "zustand";

export interface Shortcut {
  /** As Mantine's useHotkeys reads it, such as `mod+S` or `J`. */
  keys: string;
  /** What it does, for the list of shortcuts. */
  label: string;
  /** Without it the key works by itself, and is only listed. */
  run?: (event: KeyboardEvent) => void;
}

/** What keeps keys for itself while the focus is in it: whatever is typed in, and dialogs and menus. */
const KEEPS_KEYS =
  "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox]";

/** What the screens that are open offer, for the list that `?` opens. */
export const useShortcutList = create<{ sections: Record<string, Shortcut[]> }>(() => ({ sections: {} }));

/**
 * Offers shortcuts while the component is shown, and lists them under `section`. Fields keep what is typed in them, and
 * dialogs and menus their keys.
 */
export function useShortcuts(section: string, shortcuts: Shortcut[]): void {
  useHotkeys(shortcuts.flatMap(toHotkey), []);
  const shown = shortcuts.map(({ keys, label }) => `${keys}\t${label}`).join("\n");

  // Listed again only when what is shown of them changes: their functions are new with every render.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shown` stands for the shortcuts
  useEffect(() => {
    useShortcutList.setState(({ sections }) => ({ sections: { ...sections, [section]: shortcuts } }));
    return () =>
      useShortcutList.setState(({ sections: { [section]: _gone, ...sections } }) => ({ sections }));
  }, [section, shown]);
}

/** For a key that must do its work once, however long it is held down. */
export function once(run: () => void): NonNullable<Shortcut["run"]> {
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
