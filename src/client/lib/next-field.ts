import type { KeyboardEvent } from "react";

/**
 * Enter before an empty field leads there, like 'Next' of a phone's keyboard, instead of submitting a form that cannot be
 * complete. For `onKeyDown` of a form.
 */
export function enterLeadsToNextField(event: KeyboardEvent<HTMLFormElement>): void {
  const { key, target, currentTarget, nativeEvent } = event;
  if (key !== "Enter" || nativeEvent.isComposing || !(target instanceof HTMLInputElement)) return;
  const fields = [...currentTarget.querySelectorAll<HTMLInputElement>("input:enabled:not([type=checkbox])")];
  const next = fields[fields.indexOf(target) + 1];
  if (!fields.includes(target) || !next || next.value) return;
  event.preventDefault();
  next.focus();
}
