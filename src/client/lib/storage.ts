import type { DeliveryAddress } from "#shared/schemas/addresses.ts";
import type { PlaceOrderRequest } from "#shared/schemas/orders.ts";
import { attempt, isStillOwner, ownerOf } from "#ui/personal-data.ts";

/** The contract's items in local storage, as JSON under its keys. `orderData` has amounts in rupees. */
interface LocalItems {
  address: DeliveryAddress;
  orderData: PlaceOrderRequest["orderData"];
}

/** The contract's items in session storage, as plain text under its keys. */
type SessionKey = "phone" | "otpEmail" | "otpPhone";

/** Survives closing the browser. `get` returns null for missing or unreadable items. */
export const localItems = {
  get<Key extends keyof LocalItems>(key: Key): LocalItems[Key] | null {
    return attempt(() => JSON.parse(window.localStorage.getItem(key) ?? "null"));
  },
  set<Key extends keyof LocalItems>(key: Key, value: LocalItems[Key]): void {
    attempt(() => window.localStorage.setItem(key, JSON.stringify(value)));
  },
  remove(key: keyof LocalItems): void {
    attempt(() => window.localStorage.removeItem(key));
  },
};

/** Lives as long as the tab. */
export const sessionItems = {
  get(key: SessionKey): string | null {
    return attempt(() => window.sessionStorage.getItem(key));
  },
  set(key: SessionKey, value: string): void {
    attempt(() => window.sessionStorage.setItem(key, value));
  },
  remove(key: SessionKey): void {
    attempt(() => window.sessionStorage.removeItem(key));
  },
};

/** What one person has stored, as JSON under names such as `draft:<user>:<shop>`. `get` returns null for what is missing or unreadable. */
export const ownItems = {
  get(name: string): unknown {
    return attempt(() => JSON.parse(window.localStorage.getItem(name) ?? "null"));
  },
  /** Does nothing once this person has logged out. */
  set(name: string, value: unknown): void {
    if (isStillOwner(ownerOf(name))) attempt(() => window.localStorage.setItem(name, JSON.stringify(value)));
  },
  remove(name: string): void {
    attempt(() => window.localStorage.removeItem(name));
  },
  names(): string[] {
    return attempt(() => Object.keys(window.localStorage)) ?? [];
  },
};
