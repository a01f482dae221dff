import { describe, expect, test } from "vitest";
import { answersCome, openStorefront } from "../setup/storefront.ts";

const storefront = openStorefront();
const home = storefront.visitOnce("/", { reducedMotion: "reduce" });

describe("the home page", () => {
  test("starts with 'Online Printing Shop' and a 'Print Now' link to the shops", async () => {
    await expect
      .poll(() => home().getByRole("heading", { level: 1 }).innerText())
      .toBe("Online Printing Shop");
    await expect
      .poll(() => home().getByRole("link", { name: "Print Now" }).getAttribute("href"))
      .toBe("/shops");
  });

  test("explains the store in four steps", async () => {
    await expect
      .poll(() => home().getByRole("heading", { name: "How Print Store works" }).isVisible())
      .toBe(true);
    const steps = await home().locator("main ol li h3").allInnerTexts();
    const titles = steps.map((step) => step.replace(/\d/, "").trim());
    expect(titles).toEqual(["Visit the store", "Upload files", "Customise", "Checkout"]);
  });

  test("shows what can be customised: file type, colour, paper size, orientation", async () => {
    for (const name of ["Any file type", "Black and white or colour", "Paper size", "Orientation"]) {
      await expect.poll(() => home().getByRole("heading", { name }).isVisible()).toBe(true);
    }
  });

  test("states the paper, the accepted files and the deletion", async () => {
    for (const statement of [
      "Only A4 paper of 70 GSM is used",
      "PDF, JPG, PNG and JPEG are accepted",
      "Uploaded documents are deleted once printed",
    ]) {
      await expect.poll(() => home().getByText(statement).isVisible()).toBe(true);
    }
  });

  test("needs no data request, and shows its content without scripts", async () => {
    const { body } = await storefront.store.visitor().get("/");
    const [heading = ""] = /<h1\b.*?<\/h1>/s.exec(body) ?? [];
    expect(heading.replaceAll(/<[^>]+>/g, "")).toBe("Online Printing Shop");
    const requests: string[] = [];
    const scripted = await storefront.visit("/about-us");
    scripted.on("request", (request) => requests.push(new URL(request.url()).pathname));
    await scripted.goto("/");
    await answersCome(scripted);
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
    const place = () => strip.evaluate((element) => element.getBoundingClientRect().x);
    const before = await place();
    await expect.poll(place).toBeLessThan(before);
    await page.getByRole("region", { name: "Sample quotes" }).hover();
    await expect.poll(async () => (await strip.evaluate(animation)).animationPlayState).toBe("paused");
    await page.mouse.move(0, 0);
    await expect.poll(async () => (await strip.evaluate(animation)).animationPlayState).toBe("running");
    await page.getByRole("region", { name: "Sample quotes" }).focus();
    await expect.poll(async () => (await strip.evaluate(animation)).animationPlayState).toBe("paused");
    await page.getByRole("button", { name: "Pause" }).click();
    await page.mouse.move(0, 0);
    await expect.poll(async () => (await strip.evaluate(animation)).animationPlayState).toBe("paused");
  });

  test("does not move if reduced motion is preferred", async () => {
    expect((await home().locator(track).evaluate(animation)).animationName).toBe("none");
  });

  test("says that each quote is an example", async () => {
    const quotes = await home().locator(`${track} > ul:first-child > li`).allInnerTexts();
    expect(quotes.length).toBeGreaterThanOrEqual(4);
    for (const quote of quotes) expect(quote).toContain("Example:");
  });
});
