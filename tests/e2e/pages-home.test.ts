import { describe, expect, test } from "vitest";
import { openStorefront } from "../setup/storefront.ts";

const storefront = openStorefront();

describe("the home page", () => {
  test("starts with 'Online Printing Shop' and a 'Print Now' link to the shops", async () => {
    const page = await storefront.visit("/");
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Online Printing Shop");
    await page.getByRole("link", { name: "Print Now" }).click();
    await page.waitForURL("**/shops");
  });

  test("explains the store in four steps", async () => {
    const page = await storefront.visit("/");
    expect(await page.getByRole("heading", { name: "How Print Store works" }).isVisible()).toBe(true);
    const steps = await page.locator("main ol li h3").allInnerTexts();
    const titles = steps.map((step) => step.replace(/\d/, "").trim());
    expect(titles).toEqual(["Visit the store", "Upload files", "Customise", "Checkout"]);
  });

  test("shows what can be customised: file type, colour, paper size, orientation", async () => {
    const page = await storefront.visit("/");
    for (const name of ["Any file type", "Black and white or colour", "Paper size", "Orientation"]) {
      expect(await page.getByRole("heading", { name }).isVisible()).toBe(true);
    }
  });

  test("states the paper, the accepted files and the deletion", async () => {
    const page = await storefront.visit("/");
    for (const statement of [
      "Only A4 paper of 70 GSM is used",
      "PDF, JPG, PNG and JPEG are accepted",
      "Uploaded documents are deleted once printed",
    ]) {
      expect(await page.getByText(statement).isVisible()).toBe(true);
    }
  });

  test("needs no data request, and shows its content without scripts", async () => {
    const page = await storefront.visit("/", { javaScriptEnabled: false });
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Online Printing Shop");
    const requests: string[] = [];
    const scripted = await storefront.visit("/about-us");
    scripted.on("request", (request) => requests.push(new URL(request.url()).pathname));
    await scripted.goto("/", { waitUntil: "networkidle" });
    expect(requests.filter((path) => path.startsWith("/api/"))).toEqual([]);
  });
});

describe("the testimonial strip", () => {
  const track = "section[aria-label='Sample quotes'] > div";
  const animation = (element: Element) => {
    const { animationDuration, animationPlayState, animationName } = getComputedStyle(element);
    return { animationDuration, animationPlayState, animationName };
  };

  test("goes round in 40 seconds, and pauses under the pointer, on focus and by its button", async () => {
    const page = await storefront.visit("/", { reducedMotion: "no-preference" });
    const strip = page.locator(track);
    await strip.evaluate((element) => element.scrollIntoView({ block: "center" }));
    expect(await strip.evaluate(animation)).toMatchObject({
      animationDuration: "40s",
      animationPlayState: "running",
    });
    await page.getByRole("region", { name: "Sample quotes" }).hover();
    await expect.poll(async () => (await strip.evaluate(animation)).animationPlayState).toBe("paused");
    await page.mouse.move(0, 0);
    await expect.poll(async () => (await strip.evaluate(animation)).animationPlayState).toBe("running");
    await page.getByRole("region", { name: "Sample quotes" }).focus();
    expect((await strip.evaluate(animation)).animationPlayState).toBe("paused");
    await page.getByRole("button", { name: "Pause" }).click();
    await page.mouse.move(0, 0);
    expect((await strip.evaluate(animation)).animationPlayState).toBe("paused");
  });

  test("does not move if reduced motion is preferred", async () => {
    const page = await storefront.visit("/");
    expect((await page.locator(track).evaluate(animation)).animationName).toBe("none");
  });

  test("says that each quote is a sample", async () => {
    const page = await storefront.visit("/");
    const quotes = await page.locator(`${track} > ul:first-child > li`).allInnerTexts();
    expect(quotes.length).toBeGreaterThanOrEqual(4);
    for (const quote of quotes) expect(quote).toContain("Sample quote");
  });
});
