import { type OptionChoices, parseChoices } from "./draft.ts";
import { readKept, writeKept } from "./draft-store.ts";

/** What the student chose last time at this shop. */
export function rememberedChoices(userId: string, shopId: string): OptionChoices {
  return parseChoices(readKept(nameOf(userId, shopId)));
}

export function rememberChoices(userId: string, shopId: string, choices: OptionChoices): void {
  writeKept(nameOf(userId, shopId), choices);
}

function nameOf(userId: string, shopId: string): string {
  return `choices:${userId}:${shopId}`;
}
