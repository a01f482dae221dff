import type { KeyboardEvent } from "react";

/**
 * On a touch screen, Enter before an empty field leads there, as the keyboard's 'Next' promises; iPhones would submit the
 * form that cannot be complete. For `onKeyDown` of a form.
 */
export function enterLeadsToNextField(event: KeyboardEvent<HTMLFormElement>): void {
  const { key, target, currentTarget } = event;
  if (key !== "Enter" || !(target instanceof HTMLInputElement)) return;
  if (!window.matchMedia("(pointer: coarse)").matches) return;
  const fields = [...currentTarget.querySelectorAll<HTMLInputElement>("input:enabled:not([type=checkbox])")];
  const next = fields[fields.indexOf(target) + 1];
  if (!fields.includes(target) || !next || next.value) return;
  event.preventDefault();
  next.focus();
}
