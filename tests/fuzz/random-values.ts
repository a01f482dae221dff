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

/** The parts of JSON Schema that the store's documents use. */
export interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
}

export interface SchemaSource {
  /** Schemas by the last part of their reference. */
  definitions: Record<string, JsonSchema>;
  /** Meaningful values by field name. */
  known?: Record<string, fc.Arbitrary<unknown>>;
}

/** Values that match a schema, apart from rules that JSON Schema cannot express. */
export function valuesOf(schema: JsonSchema, source: SchemaSource): fc.Arbitrary<unknown> {
  const target = schema.$ref ? source.definitions[schema.$ref.split("/").at(-1) ?? ""] : schema;
  if (!target) throw new Error(`There is no schema ${schema.$ref}`);
  if ("const" in target) return fc.constant(target.const);
  if (target.enum) return fc.constantFrom(...target.enum);
  const choices = target.anyOf ?? target.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => valuesOf(choice, source)));
  if (target.allOf) return mergedValues(target.allOf, source);
  const types = [target.type ?? "anything"].flat();
  return fc.oneof(...types.map((type) => valuesOfType(type, target, source)));
}

function mergedValues(parts: JsonSchema[], source: SchemaSource): fc.Arbitrary<unknown> {
  return fc
    .tuple(...parts.map((part) => valuesOf(part, source)))
    .map((values) => Object.assign({}, ...values));
}

function valuesOfType(type: string, schema: JsonSchema, source: SchemaSource): fc.Arbitrary<unknown> {
  switch (type) {
    case "object":
      return objectsOf(schema, source);
    case "array":
      return fc.array(valuesOf(schema.items ?? {}, source), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, Math.max(schema.minItems ?? 0, 4)),
      });
    case "string":
      return textsOf(schema);
    case "integer":
    case "number":
      return numbersOf(type, schema);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return oddJson;
  }
}

function objectsOf({ properties = {}, required = [] }: JsonSchema, source: SchemaSource) {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const values = valuesOf(schema, source);
    const known = source.known?.[name];
    return [name, known ? fc.oneof({ weight: 4, arbitrary: known }, values) : values];
  });
  return fc.record(Object.fromEntries(fields), {
    requiredKeys: required.filter((name) => name in properties) as never[],
  });
}

function textsOf({ pattern, format, minLength = 0, maxLength = 60 }: JsonSchema): fc.Arbitrary<string> {
  if (format === "date-time") return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (format === "date")
    return fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10));
  const plain = fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) });
  if (!pattern) return fc.oneof({ weight: 3, arbitrary: plain }, oddText);
  return fc.stringMatching(new RegExp(pattern), { size: "small" });
}

function numbersOf(type: "integer" | "number", { minimum = -10, maximum = 1_000_000 }: JsonSchema) {
  const [min, max] = [Math.max(minimum, -(2 ** 53)), Math.min(maximum, 2 ** 53)];
  if (type === "integer")
    return fc.oneof(fc.integer({ min, max: Math.min(max, min + 5) }), fc.integer({ min, max }));
  return fc.oneof(
    fc.integer({ min: Math.ceil(min), max: Math.floor(max) }),
    fc.double({ min, max, noNaN: true }),
  );
}

interface Change {
  /** The index of the place in the value; wraps around. */
  at: number;
  how: "replace" | "remove" | "add";
  name: string;
  value: unknown;
}

const changes: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(200),
  how: fc.constantFrom("replace", "replace", "remove", "add"),
  name: fc.oneof(fc.constantFrom("__proto__", "constructor", "id", "role", "price"), oddText),
  value: oddJson,
});

/** The values, mostly with a few places replaced, removed or added. */
export function withChanges(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const changed = fc
    .tuple(values, fc.array(changes, { minLength: 1, maxLength: 3 }))
    .map(([value, list]) => list.reduce<unknown>(applyChange, value));
  return fc.oneof(values, { weight: 2, arbitrary: changed });
}

function applyChange(value: unknown, change: Change): unknown {
  const places = placesIn(value);
  const place = places[change.at % (places.length + 1)];
  if (!place) return change.how === "replace" ? change.value : value;
  const copy = structuredClone(value);
  const parent = place
    .slice(0, -1)
    .reduce<unknown>((at, key) => Reflect.get(at as object, key), copy) as object;
  const key = place.at(-1) ?? "";
  if (change.how === "remove") Reflect.deleteProperty(parent, key);
  else put(parent, change.how === "add" ? change.name : key, change.value);
  return copy;
}

/** Like JSON.parse: `__proto__` is an ordinary field. */
function put(parent: object, name: string, value: unknown): void {
  const descriptor = { value, writable: true, enumerable: true, configurable: true };
  if (!Array.isArray(parent)) Object.defineProperty(parent, name, descriptor);
  else if (/^\d+$/.test(name)) parent[Number(name)] = value;
  else parent.push(value);
}

/** The path to every field and element in a value. */
function placesIn(value: unknown, way: string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.keys(value).flatMap((key): string[][] => {
    const inner: unknown = Object.getOwnPropertyDescriptor(value, key)?.value;
    return [[...way, key], ...placesIn(inner, [...way, key])];
  });
}
