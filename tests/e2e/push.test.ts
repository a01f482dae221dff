import type { CDPSession, Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { placeAnother } from "../factories/placed-orders.ts";
import { expectAccessiblePart } from "../setup/accessible-screen.ts";
import { startPushService } from "../setup/push-service.ts";
import { openStorefront } from "../setup/storefront.ts";
import { SHOP_ID, visitAsStudent } from "./print-steps.ts";

const storefront = openStorefront();

/** A student's order, in a browser that answers the question for permission like this. */
async function visitOrder(permission: "granted" | "denied") {
  const service = await startPushService();
  const browser = service.newBrowser();
  await service.stop();
  const { page, student, visitor } = await visitAsStudent(
    storefront,
    { serviceWorkers: "allow" },
    "/about-us",
  );
  const { id, number } = await placeAnother(visitor, student, SHOP_ID);
  await page.addInitScript(
    ({ permission, subscription }) => {
      // The browser's question, and its own way to the push service, are out of a test's reach.
      let asked = 0;
      const current = () => (sessionStorage.getItem("permission") ?? "default") as NotificationPermission;
      Object.defineProperty(Notification, "permission", { get: current });
      Notification.requestPermission = async () => {
        asked += 1;
        sessionStorage.setItem("permission", permission);
        document.documentElement.dataset.asked = String(asked);
        return permission;
      };
      let tries = 0;
      let isInTheWay = true;
      const given = {
        toJSON: () => subscription,
        async unsubscribe() {
          isInTheWay = tries < 3;
          document.documentElement.dataset.unsubscribed = String(tries);
          return true;
        },
      };
      // At the first press the service does not answer; then a subscription with an earlier key of the store is in the way.
      PushManager.prototype.subscribe = async (options) => {
        tries += 1;
        if (tries < 3 || isInTheWay) throw new DOMException("Registration failed", "AbortError");
        const key = new Uint8Array(options?.applicationServerKey as ArrayBuffer);
        document.documentElement.dataset.key = btoa(String.fromCharCode(...key));
        return given as unknown as PushSubscription;
      };
      PushManager.prototype.getSubscription = async () => given as unknown as PushSubscription;
    },
    { permission, subscription: browser.subscription },
  );
  await page.goto(`/orders/${id}`);
  return { page, visitor, id, number };
}

const asked = (page: Page) => page.locator("html").getAttribute("data-asked");
const unsubscribed = (page: Page) => page.locator("html").getAttribute("data-unsubscribed");

test("a student is asked for notifications only by the button on an order, and can turn them off in the settings", async () => {
  const { page, visitor } = await visitOrder("granted");
  const isOn = async () => (await visitor.query("push.device")).body.result.data.isOn;
  const button = page.getByRole("button", { name: "Tell me when it is on its way" });
  await button.waitFor();
  expect(await asked(page)).toBeNull();
  await expectAccessiblePart(button);

  await button.click();
  await page.getByRole("alert").getByText("could not reach its notification service").waitFor();
  expect(await isOn()).toBe(false);
  const conflict = { message: "Another account uses it", code: -32009, data: { appCode: "CONFLICT" } };
  const refuse = (route: Route) => route.fulfill({ status: 207, json: [{ error: conflict }] });
  await page.route("**/api/trpc/push.subscribe*", refuse, { times: 1 });
  await button.click();
  await page.getByRole("alert").getByText(conflict.message).waitFor();
  // Refused once, it would be refused at every press.
  expect([await isOn(), await unsubscribed(page)]).toEqual([false, "4"]);
  await button.click();
  await page.getByText("This device tells you when it is on its way.").waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
  expect([await asked(page), await isOn()]).toEqual(["3", true]);
  const key = Buffer.from((await page.locator("html").getAttribute("data-key")) ?? "", "base64");
  expect(key.toString("base64url")).toBe(storefront.store.deps.pushPublicKey);
  await page.reload();
  await page.getByText("This device tells you when it is on its way.").waitFor();

  await page.evaluate(() => sessionStorage.setItem("permission", "default"));
  await page.reload();
  await button.waitFor();
  await page.evaluate(() => sessionStorage.setItem("permission", "granted"));
  await page.reload();
  await page.getByText("This device tells you when it is on its way.").waitFor();

  await page.getByRole("link", { name: "Change in settings" }).click();
  const card = page.getByRole("region", { name: "Notifications" });
  await card.getByText("This device tells you when an order is ready").waitFor();
  await card.getByRole("button", { name: "Turn off" }).click();
  await card.getByText("This device gets no notifications about your orders.").waitFor();
  expect([await isOn(), await unsubscribed(page)]).toEqual([false, "0"]);
});

test("a logout takes the notifications about the student's orders off the device", async () => {
  const { page } = await visitOrder("granted");
  await page.evaluate(() => {
    // A headless browser has no list of notifications.
    const close = () => {
      document.documentElement.dataset.closed = "yes";
    };
    ServiceWorkerRegistration.prototype.getNotifications = async () => [{ close } as Notification];
  });
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  await page.getByRole("button", { name: "My Account" }).click();
  await page.locator("#account-menu").getByRole("button", { name: "Logout" }).click();
  await page.locator("html[data-closed=yes]").waitFor({ state: "attached" });
});

test("a browser that blocks notifications says so at the button, and the server gets nothing", async () => {
  const { page, visitor } = await visitOrder("denied");
  await page.getByRole("button", { name: "Tell me when it is on its way" }).click();
  const note = page.getByText("This browser blocks notifications.", { exact: true });
  await note.waitFor();
  const lines = await note.evaluate(
    (text) => text.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(text).lineHeight),
  );
  expect(Math.round(lines)).toBe(1);
  expect((await visitor.query("push.device")).body.result.data.isOn).toBe(false);
  await page.evaluate(() => localStorage.setItem("shared-computer", "yes"));
  await page.reload();
  await page.getByText("A shared computer gets no notifications. You still get emails.").waitFor();
  expect(await page.getByRole("button", { name: /^Tell me/ }).count()).toBe(0);
  await page.evaluate(() => localStorage.removeItem("shared-computer"));
  await page.reload();
  await page.getByRole("link", { name: "Allow them" }).click();
  await page.getByText("Allow them in its settings for this page").waitFor();
});

test("a pushed message is shown as it is to its own account and without the order to any other, and opens the order's page", async () => {
  const { page, student, visitor } = await visitAsStudent(
    storefront,
    { serviceWorkers: "allow", permissions: ["notifications"] },
    "/about-us",
  );
  const { id, number } = await placeAnother(visitor, student, SHOP_ID);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const devTools = await page.context().newCDPSession(page);
  const own = (await visitor.query("accounts.me")).body.result.data._id;
  const payload = {
    title: `Order ${number} is ready`,
    body: "You can pick it up at Red Soil Prints",
    path: `/orders/${id}`,
    viewer: own,
  };

  const viewer = () =>
    page.evaluate(async () => (await caches.match("/viewer", { cacheName: "viewer" }))?.text());
  await expect.poll(viewer).toBe(own);
  const [worker] = page.context().serviceWorkers();
  // A headless browser has no list of notifications, and opens a window only after a real click in one.
  await worker?.evaluate(`
    self.shown = [];
    self.opened = [];
    self.registration.showNotification = async (title, { body, data, tag, renotify }) => { self.shown.push({ title, body, data, tag, renotify }); };
    self.clients.openWindow = async (url) => { self.opened.push(new URL(url).pathname); };
    WindowClient.prototype.focus = async function () { self.opened.push("shown: " + new URL(this.url).pathname); };
    self.closed = 0;
    const close = () => { self.closed += 1; };
    self.click = (data) => self.dispatchEvent(
      Object.assign(new ExtendableEvent("notificationclick"), { notification: { data, close } }));
  `);

  // One that takes the place of an older one is heard as the older one was.
  const inPlace = { tag: payload.path, renotify: true };
  const nameless = { title: "Order update", body: "Log in to Print Store to see it." };
  await push(devTools, page, payload);
  await push(devTools, page, { ...payload, viewer: "somebody else" });
  // The worker reads who is logged in when a message has been delivered.
  await expect.poll(() => worker?.evaluate("self.shown.length")).toBe(2);
  // As after a logout: its owner may log in again.
  await page.evaluate(() => caches.delete("viewer"));
  await push(devTools, page, payload);
  await expect
    .poll(() => worker?.evaluate("self.shown"))
    .toEqual([
      { title: payload.title, body: payload.body, data: payload.path, ...inPlace },
      { ...nameless, data: "/orders", ...inPlace },
      { ...nameless, data: payload.path, ...inPlace },
    ]);

  await worker?.evaluate(`self.click(${JSON.stringify(payload.path)})`);
  await expect.poll(() => worker?.evaluate("self.opened")).toEqual([payload.path]);
  await worker?.evaluate(`self.click("https://evil.example/orders")`);
  await worker?.evaluate(`self.click("/orders")`);
  await worker?.evaluate(`self.click("/about-us")`);
  await expect
    .poll(() => worker?.evaluate("self.opened"))
    .toEqual([payload.path, "/orders", "shown: /about-us"]);
  expect(await worker?.evaluate("self.closed")).toBe(4);
});

/** Delivers a message to the page's service worker as the browser does once it is decrypted. */
async function push(devTools: CDPSession, page: Page, payload: object): Promise<void> {
  const registrations: string[] = [];
  devTools.on("ServiceWorker.workerRegistrationUpdated", (event) => {
    registrations.push(...event.registrations.map(({ registrationId }) => registrationId));
  });
  await devTools.send("ServiceWorker.enable");
  await expect.poll(() => registrations.length).toBeGreaterThan(0);
  await devTools.send("ServiceWorker.deliverPushMessage", {
    origin: new URL(page.url()).origin,
    registrationId: registrations[0] ?? "",
    data: JSON.stringify(payload),
  });
  await devTools.send("ServiceWorker.disable");
}
