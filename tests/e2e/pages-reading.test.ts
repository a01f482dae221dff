import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { openStorefront, tryAgain } from "../setup/storefront.ts";
import { htmlFaults } from "../setup/valid-html.ts";

const storefront = openStorefront();

const PAGES = [
  ["/about-us", /^About us$/, [/print shops near colleges/]],
  [
    "/terms-and-conditions",
    /^Terms and Conditions$/,
    [/a marketplace: it shows print shops near colleges/, /The law of India applies/, /price/i],
  ],
  ["/privacy-policy", /^Privacy Policy$/, [/deleted/i, /24 hours/i]],
  [
    "/refund-and-cancellation",
    /^Refund and Cancellation$/,
    [
      /No cancellations or refunds/,
      /it cannot be cancelled, and its price is not refunded/,
      /If we made a printing error, tell us within 3 days of receiving the order, and the shop prints it again/,
    ],
  ],
  ["/faq", /^FAQs$/, [/PDF/, /OTP|code/]],
  ["/how-it-works", /How/, [/upload/i]],
  ["/support", /Support/, [/reprint|order/i]],
] as const;

/** Pages that a guest can open and the sitemap leaves out. */
const NOT_IN_SITEMAP = [
  "/forgotpassword",
  "/reset-password?token=abc",
  "/account-verify",
  "/login-with-otp",
  "/test",
  "/nowhere",
  "/admin",
  "/mailbox",
  "/api/v1/docs",
];

test("every page that a guest can open is valid HTML as the server sends it, by html-validate's standard rules", async () => {
  const visitor = storefront.store.visitor();
  const sitemap: string = (await visitor.get("/sitemap.xml")).body;
  const listed = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = ""]) => new URL(url).pathname);
  expect(listed).toContain("/signup");
  for (const path of [...listed, ...NOT_IN_SITEMAP]) {
    expect([path, await htmlFaults((await visitor.get(path)).body)]).toEqual([path, []]);
  }
});

describe("the static pages", () => {
  test.each(PAGES)("include %s, which is rendered without a script", async (path, title, statements) => {
    const { body } = await storefront.store.visitor().get(path);
    const [main = ""] = /<main\b.*<\/main>/s.exec(body) ?? [];
    const text = main.replaceAll("<!-- -->", "").replaceAll(/<[^>]+>|\s+/g, " ");
    expect(/<h1\b[^>]*>(.*?)<\/h1>/s.exec(main)?.[1]).toMatch(title);
    expect(text.split(/\s+/).length).toBeGreaterThan(80);
    for (const statement of statements) expect(text).toMatch(statement);
    expect(text).not.toMatch(/lorem ipsum/i);
  });

  test("each have their own title and description", async () => {
    const heads = await Promise.all(
      [...PAGES.map(([path]) => path), "/", "/shops", "/login", "/signup", "/contact-us"].map(
        async (path) => {
          const html = await (await storefront.store.visitor().fetch(path)).text();
          const title = /<title>([^<]+)<\/title>/.exec(html)?.[1];
          const description = /<meta name="description" content="([^"]+)"/.exec(html)?.[1];
          expect(html).toContain(`<link rel="canonical" href="${storefront.store.url}${path}"`);
          return { title, description };
        },
      ),
    );
    expect(new Set(heads.map((head) => head.title)).size).toBe(heads.length);
    for (const { title, description } of heads) {
      expect(title).toBeTruthy();
      expect(description?.length ?? 0).toBeGreaterThan(20);
    }
  });

  test("are listed for search engines, with robots.txt, a manifest and an icon", async () => {
    const visitor = storefront.store.visitor();
    const robots = await (await visitor.fetch("/robots.txt")).text();
    expect(robots).toBe(
      `User-agent: *
Disallow: /api/
Disallow: /admin
Disallow: /at/
Disallow: /printnow
Disallow: /printorder

Sitemap: ${storefront.store.url}/sitemap.xml
`,
    );
    const sitemap = await (await visitor.fetch("/sitemap.xml")).text();
    for (const [, address = ""] of sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)) {
      expect((await visitor.fetch(address)).status, address).toBe(200);
    }
    for (const [path] of PAGES) expect(sitemap).toContain(`${storefront.store.url}${path}<`);
    const manifest = await (await visitor.fetch("/manifest.webmanifest")).json();
    for (const { src } of manifest.icons) expect((await visitor.fetch(src)).status).toBe(200);
    expect((await visitor.fetch("/favicon.svg")).status).toBe(200);
  });
});

describe("error pages", () => {
  test("answer unknown paths with 404 and a way on", async () => {
    const page = await storefront.visit("/no/such/page", { refused: ["/no/such/page"] });
    expect((await storefront.store.visitor().fetch("/no/such/page")).status).toBe(404);
    await expect
      .poll(() => page.getByRole("heading", { level: 1 }).innerText())
      .toBe("This page does not exist");
    await page.getByRole("main").getByRole("link", { name: "Go to the home page" }).click();
    await page.waitForURL((url) => url.pathname === "/");
  });

  test("answer 503 where the database did not give all, and keep nothing of it for the next guest", async () => {
    const { db, log } = storefront.store.deps;
    const rename = (from: string, to: string) => db.schema.alterTable(from).renameTo(to).execute();
    const visitor = storefront.store.visitor();
    const { level } = log;
    log.level = "silent";
    await db.updateTable("catalogue").set({ version: sql`version + 1` }).execute();
    await rename("shops", "shops_away");
    const lacking = await visitor.get("/shops");
    await rename("shops_away", "shops");
    log.level = level;
    expect(lacking.status).toBe(503);

    const [shop] = (await visitor.get("/api/v1/prints/shopslocation")).body.data;
    const whole = await visitor.get("/shops");
    expect([whole.status, whole.body.includes(shop.shopName)]).toEqual([200, true]);
  });

  test.each(["js", "css"])(
    "load anew by themselves where their .%s is gone, as after an update of the store",
    async (kind) => {
      const page = await storefront.visit("/about-us", { refused: ["/assets/faq"] });
      const gone = new RegExp(`/assets/faq-[^/]*\\.${kind}$`);
      await page.route(gone, (route) =>
        route.fulfill({ status: 404, contentType: "text/plain", body: "Not found" }),
      );
      page.removeAllListeners("console");
      page.removeAllListeners("pageerror");
      const request = page.waitForRequest((asked) => asked.isNavigationRequest());
      await page.getByRole("contentinfo").getByRole("link", { name: "FAQs" }).click();
      expect(new URL((await request).url()).pathname).toBe("/faq");
      await page.getByRole("heading", { level: 1, name: "FAQs" }).waitFor();
    },
  );

  test("show 'Unexpected Application Error!' and a way on for an uncaught error", async () => {
    const page = await storefront.visit("/about-us", { refused: ["/shops", "shops.page"] });
    const calls = "**/api/trpc/shops.page*";
    await page.route(calls, (route) =>
      route.fulfill({
        status: 200,
        contentType: "application/json",
        body: '[{"result":{"data":{"shops":[{"broken":true}],"total":1,"next":null}}}]',
      }),
    );
    page.removeAllListeners("console");
    page.removeAllListeners("pageerror");
    await page.getByRole("banner").getByRole("link", { name: "Shops" }).click();
    await page.getByRole("heading", { name: "Unexpected Application Error!" }).waitFor();
    await page.getByText("Something broke on our side").waitFor();
    await page.context().setOffline(true);
    await page.getByText("You have no internet. Nothing that you uploaded or ordered is lost.").waitFor();
    await page.context().setOffline(false);
    await tryAgain(page, calls);
    await page.getByRole("heading", { level: 1, name: "Print shops near your college" }).waitFor();
    await page.getByRole("main").getByRole("article").first().waitFor();
  });
});
