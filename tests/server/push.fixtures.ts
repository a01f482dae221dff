import { afterAll } from "vitest";
import type { ChosenFulfilment } from "#shared/order-states.ts";
import { placeAnother } from "../factories/placed-orders.ts";
import { expectDone } from "../factories/shops.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { followUp } from "../setup/follow-up.ts";
import { type PushBrowser, startPushService } from "../setup/push-service.ts";
import { testStore } from "../setup/test-store.ts";

/** The store of the tests of a file, the push service that it sends to, and what students and time do. */
export async function openPushes(env: Record<string, string> = {}) {
  const service = await startPushService();
  afterAll(() => service.stop());
  const store = testStore(env, undefined, undefined, { sendPush: service.send });

  /** Turns notifications on in this browser of the visitor. */
  async function turnOn(visitor: ApiClient, browser = service.newBrowser()): Promise<PushBrowser> {
    expectDone(await visitor.mutate("push.subscribe", browser.subscription));
    return browser;
  }

  return {
    service,
    store,
    turnOn,
    waiting: () => store.deps.readDb.selectFrom("push_messages").selectAll().execute(),

    /** A student with a placed order, whose browser gets push messages. */
    async waitingStudent(shopId: string, fulfilment: ChosenFulfilment = "pickup") {
      const { visitor, student } = await signedInStudent(store);
      const order = await placeAnother(visitor, student, shopId, fulfilment);
      return { visitor, student, order, browser: await turnOn(visitor) };
    },

    /** Lets the time pass in which staff can still undo a print unnoticed, and sends what is due. */
    async sendDue(): Promise<void> {
      store.clock.advance({ minutes: 6 });
      await followUp(store, "sendPushes");
    },
  };
}

export async function isOn(visitor: ApiClient): Promise<boolean> {
  return expectDone(await visitor.query("push.device")).isOn;
}

/** The titles of all that the browser was shown. */
export const titles = ({ received }: PushBrowser) => received.map(({ payload }) => payload.title);
