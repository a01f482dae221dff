import fc from "fast-check";
import { z } from "zod";
import { getShop, orderFor, uploadPages } from "../factories/orders.ts";
import { shopIds } from "../factories/staff.ts";
import { newStudent, type Student, signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import type { TestStore } from "../setup/test-store.ts";
import type { JsonSchema } from "./random-values.ts";
import { RawClient, type RawRequest, sendAs } from "./raw-client.ts";
import {
  type Known,
  type OpenApiDocument,
  type Operation,
  operationsOf,
  requestsOf,
  strayRequests,
} from "./rest-requests.ts";
import { type FuzzSettings, type ResponseCheck, type Tally, tallyRequests } from "./tally.ts";

const CALLERS = ["guest", "student"] as const;

/** Uploads that can be ordered, each once. */
const UPLOADS = 12;

/** Sends requests to the documented calls as a guest and as a student, and judges each response. */
export async function fuzzRest(store: TestStore, { seed, requests }: FuzzSettings): Promise<Tally[]> {
  const document: OpenApiDocument = (await store.visitor().get("/api/v1/openapi.json")).body;
  const { visitor, student } = await signedInStudent(store);
  const known = await whatIsKnown(store, visitor, student);
  const operations = operationsOf(document);
  const each = Math.ceil(requests / (operations.length * CALLERS.length));
  const client = new RawClient(store.url);
  const senders = {
    guest: (request: RawRequest) => client.send(request),
    student: sendAs(client, visitor, student),
  };
  const tallies: Tally[] = [];
  for (const operation of operations) {
    const subject = {
      requests: requestsOf(document, operation, known),
      judge: responseCheck(document, operation),
    };
    // In parallel, because much of the time is the delay that hides who has an account.
    const byCaller = CALLERS.map((caller, index) =>
      tallyRequests(
        { ...subject, name: `${operation.name} as ${caller}`, send: senders[caller] },
        { seed: seed + tallies.length + index, requests: each },
      ),
    );
    tallies.push(...(await Promise.all(byCaller)));
  }
  const strays = { name: "any other call", requests: strayRequests(document), judge: strayCheck(document) };
  tallies.push(await tallyRequests({ ...strays, send: senders.student }, { seed, requests: each }));
  client.close();
  return tallies;
}

async function whatIsKnown(store: TestStore, visitor: ApiClient, student: Student): Promise<Known> {
  const [shopId] = await shopIds(store);
  const shop = await getShop(visitor, shopId);
  const urls: string[] = [];
  for (let upload = 0; upload < UPLOADS; upload++) urls.push(await uploadPages(visitor, 2));
  const order = await orderFor(visitor, { shopId, pages: 2, filesUrl: urls.slice(0, 1) });
  const orders = fc
    .constantFrom(...urls)
    .map((url) => ({ ...order, orderData: { ...order.orderData, filesUrl: [url] } }));
  const { email, phone, password } = student;
  const other = newStudent();
  return {
    fields: {
      id: fc.constant(shopId),
      shopId: fc.constant(shopId),
      shopName: fc.constant(shop.shopName),
      email: fc.constantFrom(email, other.email),
      phone: fc.constantFrom(phone, other.phone),
      password: fc.constant(password),
      confirmpassword: fc.constant(password),
    },
    bodies: {
      "POST /users/login": fc.constant({ email, password }),
      "POST /users/contactus": fc.constant({ fullName: "Asha", email, message: "Where is my order?" }),
      "POST /prints/printorder": orders,
    },
  };
}

/**
 * Judges the responses of one call: a documented status below 500 and a body that matches its schema, without further
 * fields.
 */
function responseCheck(document: OpenApiDocument, { responses }: Operation): ResponseCheck {
  const schemas = new Map(
    Object.entries(responses).map(([status, { content }]) => [
      Number(status),
      strictSchema(document, content?.["application/json"]?.schema ?? {}),
    ]),
  );
  return ({ status, headers, text }) => {
    if (status >= 500 && status !== 503) return `broke down with ${status}: ${text}`;
    const schema = schemas.get(status);
    if (!schema) return `answered ${status}, which is not documented: ${text}`;
    if (!headers["content-type"]?.startsWith("application/json")) return `answered ${status} without JSON`;
    const { error } = schema.safeParse(JSON.parse(text));
    return error ? `answered ${status} against its schema: ${z.prettifyError(error)}\n${text}` : null;
  };
}

/** A schema of the document that also refuses unknown fields. */
function strictSchema({ components }: OpenApiDocument, schema: JsonSchema): z.ZodType {
  const text = JSON.stringify({ ...schema, $defs: components.schemas }, (_key, value: unknown) =>
    isClosedObject(value) ? { ...value, additionalProperties: false } : value,
  );
  return z.fromJSONSchema(JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/")));
}

function isClosedObject(value: unknown): value is JsonSchema {
  const schema = value as JsonSchema | null;
  return schema?.type === "object" && schema.properties !== undefined && !("additionalProperties" in schema);
}

/** All must be refused with the documented error body; HTTP itself may refuse a path that is no URL. */
function strayCheck(document: OpenApiDocument): ResponseCheck {
  const schema = strictSchema(document, { $ref: "#/components/schemas/Failure" });
  return ({ status, text }) => {
    if (status < 400 || status >= 500) return `answered ${status}: ${text}`;
    if (status === 400 && text === "") return null;
    const { error } = schema.safeParse(JSON.parse(text));
    return error ? `answered ${status} in another shape: ${text}` : null;
  };
}
