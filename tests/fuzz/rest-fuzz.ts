import fc from "fast-check";
import { getShop, orderFor, uploadPages } from "../factories/orders.ts";
import { shopIds } from "../factories/staff.ts";
import { newStudent, type Student, signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import type { TestStore } from "../setup/test-store.ts";
import { type OpenApiDocument, operationsOf, responseCheck } from "./open-api.ts";
import { RawClient, type RawRequest } from "./raw-client.ts";
import { type Known, requestsOf } from "./rest-requests.ts";
import { sendAs } from "./senders.ts";
import { strayCheck, strayRequests } from "./stray-requests.ts";
import { type FuzzSettings, type Tally, tallyRequests } from "./tally.ts";

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
