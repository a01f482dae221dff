import { afterAll, expect, test } from "vitest";
import type { Client } from "#server/lib/fair-limit.ts";
import { splitIntoRuns } from "#server/printing/fonts.ts";
import type { Receipt } from "#server/printing/receipt.ts";
import { createSheetRenderer, type SheetContent } from "#server/printing/sheets.service.ts";
import { drawPages, readPages } from "../setup/pdf-reader.ts";

/** Names in the official scripts of India, with conjuncts, and what people write between words. */
const NAMES = [
  "आशा क्षत्रिय (प्रयोग)",
  "আশা ক্ষত্রিয়",
  "ਆਸ਼ਾ ਵਰਮਾ",
  "આશા ક્ષત્રિય",
  "ଆଶା କ୍ଷତ୍ରିୟ",
  "ஆஷா வர்மா",
  "ఆశా క్షత్రియ",
  "ಆಶಾ ಕ್ಷತ್ರಿಯ",
  "ആശാ ക്ഷത്രിയ",
  "ꯑꯁꯥ ꯚꯔꯃꯥ",
  "ᱟᱥᱟ ᱵᱷᱟᱨᱢᱟ",
];
const LONG = [...NAMES, "آشا (ورما) 12", "😀 ❤️ 👩‍👩‍👧‍👦 🇮🇳"].join(" ");

/** A ticket for this student. */
function ticketOf(student: string, message = ""): SheetContent {
  const texts = { number: "A-2", link: "https://example.com", shop: "", placed: "", student, phone: "" };
  return {
    ticket: { ...texts, counts: [], options: [], message, files: [], facts: [], isTwoSided: false },
  };
}

const sheets = createSheetRenderer(1);
afterAll(() => sheets.close());

function receiptOf(files: string[]): { receipt: Receipt } {
  return {
    receipt: {
      title: "Receipt",
      headline: "₹5.00 paid in full",
      number: "A-1",
      facts: [{ label: "Student", value: LONG }],
      files: files.map((name) => ({ name, pages: "1 page" })),
      job: "50 pages",
      parts: [],
      prices: [{ label: "Order total", note: "", amount: "₹5.00", isTotal: true }],
      taxes: [],
      payments: [],
      notes: [],
      remark: "",
    },
  };
}

/** Ignores line breaks. */
function flat(text: string): string {
  return text.normalize("NFC").replace(/\s+/g, "");
}

async function textOf(content: SheetContent): Promise<string> {
  const drawing = await sheets.draw(content, {});
  return flat((await readPages(drawing?.bytes ?? new Uint8Array())).join(""));
}

test("names in Indian scripts are drawn as they were written", async () => {
  const text = await textOf(receiptOf(NAMES));
  for (const [index, name] of NAMES.entries()) expect(text).toContain(flat(`${index + 1}${name}`));
});

test("Hindi beside English is drawn as it is alone, with its vowel signs and conjuncts in their places", () => {
  const glyphsOf = (text: string) =>
    splitIntoRuns(text, "400Regular").flatMap((run) => run.font.layout(run.text).glyphs.map(({ id }) => id));
  for (const [one, other] of [
    ["Thanks, ", "धन्यवाद!"],
    ["12 ", "किताब "],
    ["शक्ति, ", "Unit 3"],
  ] as const) {
    expect(glyphsOf(one + other)).toEqual([...glyphsOf(one), ...glyphsOf(other)]);
  }
});

test("right-to-left text is drawn in the right direction, with mirrored brackets", async () => {
  // PDFium reads the text on the page from left to right.
  expect(await textOf(ticketOf("آشا (ورما) 12"))).toContain(flat("12 (امرو) اشآ"));
});

test("fifty long names in all scripts are drawn completely, and the worker can be reused", async () => {
  const text = await textOf(receiptOf(Array(50).fill(LONG)));
  expect(text.match(new RegExp(flat("ക്ഷത്രിയ"), "g"))).toHaveLength(51);
});

test("a message of many lines is printed with all of them, on few", async () => {
  const lines = Array.from({ length: 300 }, (_, index) => `Line ${index + 1}.`);
  const drawing = await sheets.draw(ticketOf("Asha", lines.join("\n")), {});
  const text = flat((await readPages(drawing?.bytes ?? new Uint8Array())).join(""));
  expect(lines.filter((line) => !text.includes(flat(line)))).toEqual([]);
  expect(drawing?.pages).toBeLessThan(4);
});

test("a word that is wider than the sheet is broken, and all of it is on the sheet", async () => {
  const name = "Thermodynamics".repeat(6);
  const separator = { number: "A-1", place: "File 2 of 3", name, isTwoSided: false };
  const drawing = await sheets.draw({ separator }, {});
  const bytes = drawing?.bytes ?? new Uint8Array();
  expect(flat((await readPages(bytes)).join(""))).toContain(name);
  const [page] = await drawPages(bytes);
  const { width = 0, pixels = [] } = page ?? {};
  const inked = pixels.findIndex((value, at) => value < 200 && (at >> 2) % width >= width - 40);
  expect([width, inked]).toEqual([595, -1]);
});

test("the prices of a receipt are on one page, wherever its list of files ends", async () => {
  const line = (label: string) => ({ label, note: "", amount: "₹1.00", isTotal: false });
  const prices = [...Array.from({ length: 7 }, (_, at) => line(`Option ${at}`)), line("Order total")];
  for (const files of [28, 31, 34, 37]) {
    const { receipt } = receiptOf(Array(files).fill("notes.pdf"));
    const drawing = await sheets.draw({ receipt: { ...receipt, facts: [], prices } }, {});
    const pages = (await readPages(drawing?.bytes ?? new Uint8Array())).map(flat);
    const page = pages.findIndex((text) => text.includes("Option0"));
    for (const { label } of prices) expect(pages[page]).toContain(flat(label));
  }
});

test("a sheet is titled by what it is, for who has several open or hears them read", async () => {
  for (const [content, title] of [
    [ticketOf("Asha"), "Order A-2"],
    [receiptOf(["notes.pdf"]), "Print Store, receipt for order A-1"],
  ] as const) {
    const bytes = (await sheets.draw(content, {}))?.bytes ?? new Uint8Array();
    const text = Buffer.from(bytes).toString("latin1");
    const [, object] = /\/Title (\d+) 0 R/.exec(text) ?? [];
    expect(text.includes(`\n${object} 0 obj\n(${title})\n`)).toBe(true);
  }
});

test("what is written leaves the foot of each page free", async () => {
  const drawing = await sheets.draw(receiptOf(Array(50).fill(LONG)), {});
  const pages = await drawPages(drawing?.bytes ?? new Uint8Array());
  expect(pages.length).toBeGreaterThan(2);
  const inked = pages.map(({ width, pixels }) => {
    const above = pixels.subarray(778 * width * 4, 798 * width * 4);
    const below = pixels.subarray(816 * width * 4);
    return [above, below].map((strip) => strip.some((value) => value < 200));
  });
  expect(inked).toEqual(pages.map(() => [false, false]));
});

test("shops' tickets are drawn before students' receipts, abandoned ones never, and each account has a share", async () => {
  const order: string[] = [];
  const gone = new AbortController();
  const draw = (name: string, content: SheetContent, client: Client) =>
    sheets.draw(content, client).then(
      () => order.push(name),
      (error) => order.push(`${name} ${error.code}`),
    );
  const heavy = receiptOf(Array(50).fill(LONG));
  const drawn = [
    draw("first", heavy, { account: "a" }),
    draw("second", heavy, { account: "a" }),
    draw("dropped", heavy, { account: "a", signal: gone.signal }),
    draw("other", receiptOf([]), { account: "b" }),
    draw("shop", ticketOf("Asha"), { account: "s" }),
  ];
  gone.abort();
  await Promise.all(drawn);
  expect(order).toEqual(["dropped BAD_REQUEST", "first", "shop", "other", "second"]);

  const crowd = Array.from({ length: 12 }, () =>
    draw("a", heavy, { account: "a", signal: AbortSignal.timeout(50) }),
  );
  await Promise.all(crowd);
  expect(order.filter((name) => name === "a RATE_LIMITED")).toHaveLength(1);
});
