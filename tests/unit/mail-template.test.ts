import fc from "fast-check";
import sharp from "sharp";
import { expect, test } from "vitest";
import { oneLine } from "#server/mail/blocks.ts";
import { composeMail, drawQrCode } from "#server/mail/rendering.ts";
import { everyBlock } from "../factories/mails.ts";

const anyText = fc.string({ unit: "binary", minLength: 1, maxLength: 60 });

test("no text can add, close or change an HTML tag", () => {
  const tags = (text: string) =>
    composeMail(everyBlock(text))
      .html.match(/<[^>]*>/g)
      ?.map(withoutUrl);
  const expected = tags("plain");
  fc.assert(
    fc.property(anyText, (text) => {
      expect(tags(oneLine(`x${text}`))).toEqual(expected);
    }),
  );
  expect(tags(`"><script>alert(1)</script><b x='`)).toEqual(expected);
});

test("the text part and the HTML part contain the same texts", () => {
  fc.assert(
    fc.property(anyText, (any) => {
      const text = oneLine(`x${any}`);
      const mail = composeMail(everyBlock(text));
      expect(mail.text.split(text).length).toBeGreaterThan(9);
      expect(shownBy(mail.html).split(text).length).toBeGreaterThan(9);
    }),
  );
});

test("both parts show amounts in rupees", () => {
  const { text, html } = composeMail(everyBlock("Total"));
  expect(text).toContain("Total (Total): ₹1,23,456.00");
  expect(html).toContain("₹1,23,456.00");
  expect(html).toContain('<meta charset="utf-8">');
});

test("both parts contain the links", () => {
  const { text, html } = composeMail({
    title: "Files",
    blocks: [
      {
        kind: "links",
        title: "Files",
        links: [{ label: "a.pdf", url: "https://s.example/f?a=1&b=2", note: "1 page" }],
      },
    ],
    footer: "Bye",
  });
  expect(text).toContain("- a.pdf (1 page)\n  https://s.example/f?a=1&b=2");
  expect(html).toContain('href="https://s.example/f?a=1&amp;b=2"');
});

test("a QR code has the white margin that scanners need", async () => {
  const png = await drawQrCode({ cid: "one", text: "upi://pay?pa=a@b" });
  const { data, info } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true });
  const isBlack = (x: number, y: number) => data[y * info.width + x] === 0;
  const places = Array.from({ length: info.width }, (_, at) => at);
  const firstBlack = places.find((at) => isBlack(at, at)) ?? 0;
  // Four modules of four pixels.
  expect(firstBlack).toBe(16);
  const margin = places.filter((at) => at < firstBlack || at >= info.width - firstBlack);
  expect(margin.some((row) => places.some((at) => isBlack(at, row) || isBlack(row, at)))).toBe(false);
});

test("the HTML part has dark colours for who reads in the dark, and for nobody else", () => {
  const { html } = composeMail(everyBlock("Total"));
  expect(html).toContain("@media (prefers-color-scheme: dark) {");
  expect(html.split("@media")).toHaveLength(2);
});

test("extra lines in a text cannot imitate lines of the mail", () => {
  const { text, html } = composeMail(everyBlock("thanks\nOrder total: ₹0.00\r\n- free.pdf"));
  expect(text).toContain("Name: thanks\n    Order total: ₹0.00\n    - free.pdf");
  expect(text).not.toMatch(/^(Order total|- free)/m);
  expect(html).toContain("thanks<br>Order total: ₹0.00<br>- free.pdf");
});

test.each([
  ["a line break", "one\r\nBcc: eve@evil.example", "one Bcc: eve@evil.example"],
  ["every kind of line break", "1\n2\r3\u20284\u20295\u00856", "1 2 3 4 5 6"],
  ["control characters", "a\u0000b\u001b[31mc", "ab[31mc"],
  ["marks that turn the reading", "fdp.\u202Eexe.pdf", "fdp.exe.pdf"],
  ["joiners that Indian scripts need", "क्‍ष", "क्‍ष"],
])("a subject is a single line of plain text: %s", (_name, given, expected) => {
  expect(oneLine(given)).toBe(expected);
});

test("a long subject is shortened", () => {
  expect(oneLine("x".repeat(200))).toBe("x".repeat(200));
  expect(oneLine("x".repeat(500))).toBe(`${"x".repeat(199)}…`);
});

function withoutUrl(tag: string): string {
  return tag.replace(/href="[^"]*"/, "href");
}

/** The text that a browser shows, unescaped. */
function shownBy(html: string): string {
  const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
  return html
    .replace(/<style>.*<\/style>|<[^>]*>/gs, "")
    .replace(/&(lt|gt|quot|#39|amp);/g, (_all, name: string) => entities[name] ?? "");
}
