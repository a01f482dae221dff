import fc from "fast-check";

const SPECIAL_TEXTS = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "a\udfffb",
  "\u202egnp.exe",
  "\u2066\u200f\ufeff",
  "\r\nSet-Cookie: session=stolen",
  "__proto__",
  "constructor",
  "toString",
  "null",
  "NaN",
  "1e999",
  "-0",
  "%",
  "%00%ff",
  "../../../../etc/passwd",
  "<script>alert(1)</script>",
  "' OR 1=1; DROP TABLE orders --",
  "{{7*7}} #{7*7}",
  "१२३४५६७८९०",
  "🖨️".repeat(60),
  "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢",
  "x".repeat(257),
  "é".repeat(70_000),
];

/** Random 16-bit units, including unpaired surrogates. */
const brokenText = fc
  .array(fc.oneof(fc.nat(0xffff), fc.integer({ min: 0xd800, max: 0xdfff })), { maxLength: 20 })
  .map((units) => String.fromCharCode(...units));

/** Text that often breaks programs. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...SPECIAL_TEXTS),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ maxLength: 40 }),
  brokenText,
);

const oddNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 0.5, 0.001, 1e21, 1e308, 5e-324, 2 ** 31, 2 ** 53, -(2 ** 63)),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const HOSTILE_OBJECTS = [
  '{"__proto__":{"role":"admin"}}',
  '{"constructor":{"prototype":{"role":"admin"}}}',
  '{"toString":null,"valueOf":1,"then":{}}',
  '{"length":1e9}',
  '{"":"","\\u0000":0}',
];
const hostileObject = fc.constantFrom(...HOSTILE_OBJECTS).map((text): unknown => JSON.parse(text));

/** Any JSON value, with a preference for problematic ones. */
export const oddJson: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  oddNumber,
  fc.constantFrom(null, true, false, [], {}, [[]], [null]),
  hostileObject,
  fc.jsonValue({ maxDepth: 3 }),
);

/** JSON nested so deeply that recursion overflows the stack. */
export const deepJson: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(500, 5_000, 100_000), fc.constantFrom(["[", "]"], ['{"a":', "}"]))
  .map(([depth, [open = "", close = ""]]) => `${open.repeat(depth)}1${close.repeat(depth)}`);
