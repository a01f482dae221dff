import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { DAY_MS } from "#shared/durations.ts";
import { indianClock } from "#shared/indian-time.ts";
import { VIEWER_HEADER } from "#ui/page-cache.ts";
import { pdfOfPages } from "../factories/pdfs.ts";
import { placeOrder } from "../factories/placed-orders.ts";
import { expectDone } from "../factories/shops.ts";
import { signedInStudent } from "../factories/students.ts";
import { startEditingProxy } from "../setup/editing-proxy.ts";
import { closePopup, drawn, openStorefront } from "../setup/storefront.ts";
import { tempStore } from "../setup/test-store.ts";
import {
  cookiesOf,
  hurryUntil,
  PRINT_PATH,
  pdfFile,
  pick,
  row,
  SHOP_ID,
  storedFiles,
  UPLOADS,
  upload,
  visitAs,
  visitAsStudent,
  visitWithFiles,
  waitForCopies,
} from "./print-steps.ts";

const storefront = openStorefront();

/** A window with a service worker, in which requests may find no network. */
const INSTALLED = { serviceWorkers: "allow" as const, refused: ["/"] };

/** A window without one, in which requests may find no network. */
const UNRELIABLE = { refused: ["/"] };

/** The paths of the pages that the browser keeps, sorted. */
function keptPages(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const requests = await (await caches.open("pages")).keys();
    return requests.map(({ url }) => new URL(url).pathname).sort();
  });
}

/** In the service worker: resolved once it has looked for whom it may keep pages, which it does with the answer of a page. */
function seeNextViewer() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { match } = caches;
  caches.match = async (...asked) => {
    const found = await match.apply(caches, asked);
    if (asked[0] === "/viewer") resolve();
    return found;
  };
  return { promise };
}

/** The paths of all that the browser keeps. */
function keptPaths(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const paths: string[] = [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname);
    return paths;
  });
}

/** All that the browser keeps, as text. */
function keptText(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const texts: string[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const answer = await cache.match(request);
        if (!request.url.includes("/assets/")) texts.push(request.url, (await answer?.text()) ?? "");
      }
    }
    return texts.join("\n");
  });
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "My Account" }).click();
  await page.locator("#account-menu").getByRole("button", { name: "Logout" }).click();
  await closePopup(page, "Logout Successfully");
}

test("the server is asked once for what the service worker does not answer", async () => {
  const proxy = await startEditingProxy(storefront.store.url);
  const { id, visitor } = await placeOrder(storefront.store, SHOP_ID);
  const page = await visitAs(storefront, visitor, { ...INSTALLED, baseURL: proxy.url }, `/orders/${id}`);
  await expect.poll(() => keptPages(page)).toEqual([`/orders/${id}`]);
  let times = 0;
  proxy.edit(`/orders/${id}/receipt.pdf`, (text) => {
    times += 1;
    return text;
  });
  const receipt = page.waitForEvent("download");
  await page.getByRole("link", { name: "Receipt (PDF)" }).click();
  await (await receipt).path();
  expect(times).toBe(1);
});

describe("without a connection", () => {
  test("pages that were seen before open and say how old they are; others say what is the matter", async () => {
    const { id, number, visitor, fileId } = await placeOrder(storefront.store, SHOP_ID);
    const page = await visitAs(storefront, visitor, INSTALLED, "/orders");
    await expect.poll(() => keptPages(page)).toEqual(["/orders"]);
    for (const path of ["/api/v1/users/getuser", `/files/${fileId}`])
      expect(await page.evaluate(async (path) => (await fetch(path)).status, path)).toBe(200);
    await page.getByRole("link", { name: number }).click();
    await page.waitForURL(`**/orders/${id}`);
    await expect.poll(() => keptPages(page)).toEqual(["/orders", `/orders/${id}`]);
    expect((await keptPaths(page)).filter((path) => /^\/(api|files)\//.test(path))).toEqual([]);

    const renderedAt = await page.evaluate(async (path) => {
      const kept = await caches.match(path, { cacheName: "pages" });
      return Date.parse(kept?.headers.get("date") ?? "");
    }, `/orders/${id}`);
    await page.clock.install({ time: renderedAt + DAY_MS });
    await page.context().setOffline(true);
    await page.reload();
    await page.getByRole("heading", { name: number }).waitFor();
    const from = indianClock(renderedAt, renderedAt + DAY_MS);
    const notice = page.getByText(`You are offline. This page is from ${from}.`, { exact: true });
    await notice.waitFor();
    // It looks for the internet again meanwhile.
    await page.clock.fastForward("05:00");
    await drawn(page);
    expect(await notice.count()).toBe(1);
    await page.goto("/shops");
    await page.getByRole("heading", { name: "You are offline" }).waitFor();
    // What is never kept, such as a download.
    await page.goto(`/orders/${id}/receipt.pdf`);
    await page.getByRole("heading", { name: "You are offline" }).waitFor();

    await page.goto(`/orders/${id}`);
    await notice.waitFor();
    await page.context().setOffline(false);
    await notice.waitFor({ state: "detached" });
  });

  test("a page says how old it is also where something else has noticed first that there is no connection", async () => {
    const { id, number, visitor } = await placeOrder(storefront.store, SHOP_ID);
    const page = await visitAs(storefront, visitor, INSTALLED, `/orders/${id}`);
    await expect.poll(() => keptPages(page)).toEqual([`/orders/${id}`]);
    const renderedAt = await page.evaluate(async (path) => {
      const kept = await caches.match(path, { cacheName: "pages" });
      return Date.parse(kept?.headers.get("date") ?? "");
    }, `/orders/${id}`);
    await page.clock.install({ time: renderedAt + DAY_MS });
    // The worker is asked through a channel for the age of the page, which comes after the browser's own notice.
    await page.addInitScript(() => {
      const { postMessage } = ServiceWorker.prototype;
      ServiceWorker.prototype.postMessage = function (...message: unknown[]) {
        dispatchEvent(new Event("offline"));
        postMessage.apply(this, message as Parameters<typeof postMessage>);
      };
    });
    await page.context().setOffline(true);
    await page.reload();
    await page.getByRole("heading", { name: number }).waitFor();
    const from = indianClock(renderedAt, renderedAt + DAY_MS);
    await page.getByText(`You are offline. This page is from ${from}.`, { exact: true }).waitFor();
  });

  test("a page is kept whose own script comes later than the service worker, and shown where the network is slow", async () => {
    const proxy = await startEditingProxy(storefront.store.url);
    const { visitor } = await placeOrder(storefront.store, SHOP_ID);
    const page = await visitAs(storefront, visitor, { ...INSTALLED, baseURL: proxy.url }, "/robots.txt");
    const { promise: held, resolve: sendScript } = Promise.withResolvers<void>();
    await page.route(/\/assets\/orders-/, (route) => held.then(() => route.continue()));
    await page.goto("/orders", { waitUntil: "commit" });
    // The next request for the page is the worker's.
    const { isAsked, release } = proxy.hold("/orders");
    await isAsked;
    const seen = await page.context().serviceWorkers()[0]?.evaluateHandle(seeNextViewer);
    release();
    await seen?.evaluate(({ promise }) => promise);
    sendScript();
    await expect.poll(() => keptPages(page)).toEqual(["/orders"]);

    const slow = proxy.hold("/orders");
    await page.goto("/orders");
    await page.getByRole("heading", { name: "Orders" }).waitFor();
    slow.release();
  });

  test("the notice goes by itself, also where the browser tells nothing, as on a Wi-Fi that had no internet", async () => {
    const page = await storefront.visit("/about-us", { refused: ["/robots.txt"] });
    await page.clock.install();
    const fail = () => page.route("**/robots.txt", (route) => route.abort("connectionreset"));
    const lookAgain = () => page.evaluate(() => dispatchEvent(new Event("offline")));
    const failAgain = async (act: () => Promise<unknown> = lookAgain) => {
      const failed = page.waitForEvent("requestfailed");
      await act();
      await failed;
    };
    const notice = page.getByText(/^You are offline\./);
    await fail();
    // As many as a page has that loses its connection; it is not asked for later because of them.
    for (let times = 0; times < 8; times++) await failAgain();
    await notice.waitFor();
    await page.unroute("**/robots.txt");
    await hurryUntil(page, async () => (await notice.count()) === 0);

    await fail();
    await failAgain();
    await notice.waitFor();
    for (let times = 0; times < 8; times++) await failAgain(() => page.clock.fastForward("01:00"));
    await page.unroute("**/robots.txt");
    // An answer is a sign of the connection too.
    await page.getByRole("banner").getByRole("link", { name: "Shops" }).click();
    await page.getByRole("heading", { level: 1 }).filter({ hasNotText: "About" }).waitFor();
    await notice.waitFor({ state: "detached" });
  });

  test("a student stays logged in on the way from page to page", async () => {
    const { page, student } = await visitAsStudent(storefront, INSTALLED, "/about-us");
    await expect.poll(() => keptPages(page)).toEqual(["/about-us"]);
    const footer = page.getByRole("contentinfo");
    await footer.getByRole("link", { name: "FAQs" }).click();
    // The address changes before the page's script has come, without which the page would be loaded anew.
    await page.getByRole("heading", { level: 1, name: "FAQs" }).waitFor();
    await page.clock.install();
    await page.context().setOffline(true);
    // An answer about who is logged in counts for a minute.
    await page.clock.fastForward("02:00");
    await footer.getByRole("link", { name: "About Us" }).click();
    await page.waitForURL("**/about-us");
    await page.getByRole("button", { name: "My Account" }).click();
    await expect.poll(() => page.locator("#account-menu").innerText()).toContain(student.email);
  });
});

describe("files", () => {
  test("chosen offline survive a reload, and are uploaded once and shown when the internet is back, in two tabs", async () => {
    const { page } = await visitAsStudent(storefront, INSTALLED);
    const context = page.context();
    const uploads: string[] = [];
    context.on("request", (request) => {
      if (request.url().endsWith(UPLOADS)) uploads.push(request.method());
    });
    await expect.poll(() => keptPages(page)).toEqual(["/printnow"]);
    await context.setOffline(true);
    await page.getByText("You are offline").waitFor();
    await pick(page, "Choose PDF files", [pdfFile("Train.pdf", await pdfOfPages(3))]);
    await row(page, "Train.pdf").getByText("Waiting for the internet").waitFor();
    await page.getByText("Your files upload by themselves once the internet is back").first().waitFor();
    await waitForCopies(page);

    await page.reload();
    const tab = await context.newPage();
    await tab.goto(PRINT_PATH);
    for (const each of [page, tab])
      await row(each, "Train.pdf")
        .getByText(/waiting/i)
        .waitFor();
    expect(uploads).toEqual([]);
    await context.setOffline(false);
    for (const each of [page, tab]) await row(each, "Train.pdf").getByText("3 pages").waitFor();
    await page.getByText("You are offline").waitFor({ state: "detached" });
    expect(uploads).toEqual(["POST"]);
    // The store has it, so that a copy would only fill the device.
    await expect.poll(() => storedFiles(page, "file:")).toEqual([]);
    await row(page, "Train.pdf").locator("img").waitFor();
  });

  test("whose pages could not be shown are shown when the internet is back", async () => {
    const { page } = await visitAsStudent(storefront, UNRELIABLE);
    const worker = "**/pdf.worker*";
    await page.route(worker, (route) => route.abort());
    await upload(page, [pdfFile("Train.pdf", await pdfOfPages(3))]);
    await page.getByRole("button", { name: "View pages of Train.pdf" }).click();
    await page.getByText("The pages of this file cannot be shown here").waitFor();
    await page.context().setOffline(true);
    await page.getByText("You are offline").waitFor();
    await page.unroute(worker);
    await page.context().setOffline(false);
    await page.getByRole("img", { name: "Page 1" }).locator("canvas").waitFor();
    await page.getByRole("button", { name: "Close the page viewer" }).click();
    await row(page, "Train.pdf").locator("img").waitFor();
  });
});

describe("pages of a student", () => {
  test("are gone after the logout, also one that arrives later", async () => {
    const proxy = await startEditingProxy(storefront.store.url);
    const { number, visitor, student } = await placeOrder(storefront.store, SHOP_ID);
    const page = await visitAs(storefront, visitor, { ...INSTALLED, baseURL: proxy.url }, "/orders");
    await expect.poll(() => keptPages(page)).toEqual(["/orders"]);
    expect(await keptText(page)).toContain(student.email);
    const { isAsked, release } = proxy.hold("/printorder");
    await page.evaluate(() =>
      navigator.serviceWorker.controller?.postMessage({ kind: "keep", page: "/printorder", assets: [] }),
    );
    await isAsked;
    await logOut(page);
    await expect.poll(() => keptText(page)).not.toContain(student.email);
    release();
    // The worker answers in turn, so that the held page has been looked at when this one is kept.
    await page.goto("/faq");
    await expect.poll(() => keptPages(page)).toContain("/faq");
    expect(await keptPages(page)).not.toContain("/printorder");
    const text = await keptText(page);
    for (const secret of [student.email, student.fullName, number]) expect(text).not.toContain(secret);

    // Nor would the worker show a page of somebody that had stayed.
    await page.evaluate(async (viewer) => {
      const headers = { "Content-Type": "text/html", [viewer]: "somebody else" };
      await (await caches.open("pages")).put("/orders", new Response("<h1>Orders</h1>", { headers }));
    }, VIEWER_HEADER);
    await page.context().setOffline(true);
    await page.goto("/orders");
    await page.getByRole("heading", { name: "You are offline" }).waitFor();
  });

  test("are gone once somebody else is logged in, and once their session has ended", async () => {
    const first = await visitAsStudent(storefront, INSTALLED, "/orders");
    const second = await signedInStudent(storefront.store);
    const { page } = first;
    await expect.poll(() => keptPages(page)).toEqual(["/orders"]);
    await page.context().clearCookies();
    await page.context().addCookies(cookiesOf(second.visitor));
    await page.goto("/orders");
    await expect.poll(() => keptText(page)).not.toContain(first.student.email);
    await page.goto("/orders");
    await expect.poll(() => keptText(page)).toContain(second.student.email);

    await page.context().clearCookies();
    await page.goto("/faq");
    await expect.poll(() => keptText(page)).not.toContain(second.student.email);
  });

  test("are not kept on a shared computer", async () => {
    const { student } = await signedInStudent(storefront.store);
    const page = await storefront.visit("/login?redirect=/orders", INSTALLED);
    await page.getByLabel("This is a shared computer").check();
    await page.getByLabel("Email").fill(student.email);
    await page.getByLabel("Password", { exact: true }).fill(student.password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "You have not ordered yet" }).waitFor();
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
    await page.goto("/orders");
    await page.getByRole("heading", { name: "You have not ordered yet" }).waitFor();
    // The worker looks at one page after the other, so that this one has been looked at when a guest's is kept.
    await page.context().clearCookies({ name: "session" });
    await page.evaluate(() =>
      navigator.serviceWorker.controller?.postMessage({ kind: "keep", page: "/faq", assets: [] }),
    );
    await expect.poll(() => keptPages(page)).toEqual(["/faq"]);
    expect(await keptText(page)).not.toContain(student.email);
  });
});

describe("a deployment", () => {
  test("shows no page of the build before it, and pages that are open change with their next page", async () => {
    const proxy = await startEditingProxy(storefront.store.url);
    const page = await storefront.visit("/about-us", { ...INSTALLED, baseURL: proxy.url });
    await expect.poll(() => keptPages(page)).toEqual(["/about-us"]);
    proxy.edit("/sw.js", (script) => `${script}\n// another build`);
    for (const path of ["/about-us", "/faq"])
      proxy.edit(path, (html) => html.replace("</head>", '<meta name="build" content="2"></head>'));
    const build = page.locator("meta[name=build]");
    const gone = "/assets/gone-with-the-build-before.js";
    await page.evaluate(async (path) => (await caches.open("shell")).put(path, new Response()), gone);
    expect(await keptPaths(page)).toContain(gone);

    await page.evaluate(async () => {
      const changed = new Promise((resolve) =>
        navigator.serviceWorker.addEventListener("controllerchange", resolve),
      );
      await (await navigator.serviceWorker.ready).update();
      await changed;
    });
    expect(await build.count()).toBe(0);
    const isNewOneKept = () =>
      page.evaluate(async () => {
        const kept = await caches.match("/about-us", { cacheName: "pages" });
        return (await kept?.text())?.includes('name="build"');
      });
    await expect.poll(isNewOneKept).toBe(true);
    expect(await keptPaths(page)).not.toContain(gone);
    await page.getByRole("contentinfo").getByRole("link", { name: "FAQs" }).click();
    await build.waitFor({ state: "attached" });
    expect(new URL(page.url()).pathname).toBe("/faq");
    await page.goto("/about-us");
    expect(await build.count()).toBe(1);
  });

  test("whose viewer of pages has another name asks to reload where the internet is there", async () => {
    const script = "/assets/page-viewer";
    const train = pdfFile("Train.pdf", await pdfOfPages(3));
    const { page } = await visitWithFiles(storefront, [train], { refused: [script] });
    await page.route(`**${script}*.js`, (route) => route.fulfill({ status: 404 }));
    await page.getByRole("button", { name: "View pages of Train.pdf" }).click();
    await closePopup(page, "Error", "A part of this page could not be loaded. Reload the page and try again");
  });

  test("without a service worker takes it out of the browser with all that it kept", async () => {
    const proxy = await startEditingProxy(storefront.store.url);
    const page = await storefront.visit("/about-us", { ...INSTALLED, baseURL: proxy.url });
    await expect.poll(() => keptPages(page)).toEqual(["/about-us"]);
    const without = await tempStore({ SERVICE_WORKER: "false" });
    const removal = await (await without.visitor().get("/sw.js")).body;
    proxy.edit("/sw.js", () => removal);
    await page.clock.install();
    await page.goto("/about-us");
    // The browser may look for a new version before the page registers the one it knows.
    await page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())?.update()));
    const left = () =>
      page.evaluate(async () => [
        (await navigator.serviceWorker.getRegistrations()).length,
        (await caches.keys()).length,
      ]);
    await expect.poll(left).toEqual([0, 0]);
    await page.clock.runFor(10_000);
    expect(await left()).toEqual([0, 0]);
    const { visitor } = await signedInStudent(without);
    const { publicKey } = expectDone(await visitor.query("push.device"));
    expect(publicKey, "nothing would show a notification").toBeNull();
  });
});

test("the browser's offer to install the store waits in the account menu, and is used once", async () => {
  const page = await storefront.visit("/about-us");
  const menu = page.locator("#account-menu");
  await page.getByRole("button", { name: "My Account" }).click();
  const item = menu.getByRole("button", { name: "Install the app" });
  expect(await item.count()).toBe(0);
  const isShownByBrowser = await page.evaluate(() => {
    const offer = new Event("beforeinstallprompt", { cancelable: true });
    const prompt = async () => void document.body.setAttribute("data-asked", "yes");
    return window.dispatchEvent(Object.assign(offer, { prompt }));
  });
  expect(isShownByBrowser).toBe(false);
  await item.click();
  await page.locator("body[data-asked=yes]").waitFor();
  // The menu is closed by then.
  const entry = menu.getByText("Install the app", { exact: true });
  await entry.waitFor({ state: "detached" });
  // Whoever installs it by the browser's own menu needs no offer either.
  await page.evaluate(() => window.dispatchEvent(new Event("beforeinstallprompt")));
  await entry.waitFor({ state: "attached" });
  await page.evaluate(() => window.dispatchEvent(new Event("appinstalled")));
  await entry.waitFor({ state: "detached" });
  // The menu's entry is taken out of the history, which would break off the next navigation.
  await page.waitForFunction(() => !history.state?.layers);
});
