import { clearDraft, openDraft } from "./draft-store.ts";
import { clearOrder } from "./order-store.ts";

/** Forgets all that this browser keeps of what the user was about to order, at every shop. */
export function forgetDrafts(userId: string): void {
  clearOrder();
  for (const name of keptNames()) {
    const [kind, owner, shopId] = name.split(":");
    if (owner !== userId || !shopId) continue;
    if (kind === "draft") clearDraft(openDraft(userId, shopId));
    window.localStorage.removeItem(name);
  }
}

function keptNames(): string[] {
  try {
    return Object.keys(window.localStorage);
  } catch {
    return [];
  }
}
