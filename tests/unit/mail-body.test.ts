import fc from "fast-check";
import { expect, test } from "vitest";
import { composeMail, toPageParts, toParts, toText } from "#server/mail/rendering.ts";
import { everyBlock } from "../factories/mails.ts";

test("a mail read from the outbox has exactly the parts that were composed, whatever text it contains", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
      const content = everyBlock(text);
      const { text: textPart, html, qrCodes } = composeMail(content);
      const parts = toParts(JSON.stringify(content));
      expect([parts.text === textPart, parts.html === html]).toEqual([true, true]);
      expect(parts.qrCodes).toEqual(qrCodes);
      expect(toText(JSON.stringify(content))).toBe(textPart);
    }),
  );
});

test("a row that is a total and a row without a note survive the outbox", () => {
  const prices = [
    { label: "Order total", amountPaise: 14_500, isTotal: true },
    { label: "Tax", amountPaise: 0 },
  ];
  const content = {
    title: "Order",
    blocks: [{ kind: "prices" as const, title: "Price", prices }],
    footer: "",
  };
  expect(toParts(JSON.stringify(content))).toEqual(composeMail(content));
});

test("stored content that is not valid is not sent", async () => {
  for (const content of ["", "{}", '{"title":"a","blocks":[{"kind":"script"}],"footer":""}']) {
    expect(() => toParts(content)).toThrow();
    expect(() => toText(content)).toThrow();
    await expect(toPageParts(content)).rejects.toThrow();
  }
});
