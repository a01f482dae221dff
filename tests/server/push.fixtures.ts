import { expectDone } from "../factories/shops.ts";
import type { ApiClient } from "../setup/api-client.ts";
import type { PushBrowser } from "../setup/push-service.ts";

/** Turns notifications on in this browser of the visitor. */
export async function subscribe(visitor: ApiClient, browser: PushBrowser): Promise<PushBrowser> {
  expectDone(await visitor.mutate("push.subscribe", browser.subscription));
  return browser;
}

export async function isOn(visitor: ApiClient): Promise<boolean> {
  return expectDone(await visitor.query("push.device")).isOn;
}

/** The titles of all that the browser was shown. */
export const titles = ({ received }: PushBrowser) => received.map(({ payload }) => payload.title);
