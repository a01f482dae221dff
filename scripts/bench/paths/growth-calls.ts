import { randomUUID } from "node:crypto";
import { openDatabase } from "#db/open.ts";
import { addDays, indianDay } from "#shared/indian-days.ts";
import { SHOPS_PER_PAGE } from "#shared/schemas/shops.ts";
import { numberedPdf } from "../../../tests/factories/pdfs.numbered.ts";
import { type ApiAnswer, ApiClient } from "../../../tests/setup/api-client.ts";
import { LOAD_ADMIN, LOAD_PASSWORD } from "../../load/plan.ts";
import { figuresQuestions, type Question, queueQuestions, recordQuestions } from "../../measure/questions.ts";
import { bodyMaker } from "../order-load.ts";
import { MODEL_SHOP, type World } from "../world.ts";

const NOTES = new Uint8Array(numberedPdf("Notes", 3));

export interface Call {
  name: string;
  /** What comes before each time, and is not timed. */
  prepare?(): Promise<void>;
  send(): Promise<Pick<ApiAnswer, "status" | "body">>;
}

/** What students, staff and admins ask, by both transports. */
export async function callsOf(world: World): Promise<Call[]> {
  const admin = new ApiClient(world.server.url);
  await admin.post("/api/v1/users/login", { email: LOAD_ADMIN, password: LOAD_PASSWORD });
  const { readDb, close } = await openDatabase(world.databaseUrl);
  const questions = [
    ...(await queueQuestions(readDb)),
    ...(await figuresQuestions(readDb)),
    ...(await recordQuestions(readDb)),
  ];
  await close();
  return [
    ...guestCalls(world),
    ...(await studentCalls(world)),
    ...questions.map((question) => called(admin, question)),
    await rankingAfterOrder(world, admin),
  ];
}

function guestCalls({ server }: World): Call[] {
  const guest = new ApiClient(server.url);
  const get = (path: string, name = `GET ${path}`): Call => ({
    name,
    send: () => guest.get(path),
  });
  const list = `/api/v1/prints/shopslocation?limit=${SHOPS_PER_PAGE}`;
  return [
    get(list),
    get(`${list}&sort=price`),
    {
      name: "shops.page: a search that nobody made before",
      send: () => guest.query("shops.page", { search: randomUUID().slice(0, 6) }),
    },
    get(`/api/v1/prints/shopdata?id=${MODEL_SHOP}`),
    get("/", "the home page"),
    get("/shops", "the shops page"),
  ];
}

async function studentCalls(world: World): Promise<Call[]> {
  const { student } = world;
  const { rows } = (await student.query("orders.mine", {})).body.result.data;
  const makeBody = await bodyMaker(world);
  const uploaded: string[] = [];
  return [
    {
      name: "GET /api/v1/users/getuser",
      send: () => student.get("/api/v1/users/getuser"),
    },
    called(student, { name: "first page", procedure: "orders.mine", input: {} }),
    called(student, { name: "an order", procedure: "orders.one", input: { orderId: rows[0].id } }),
    {
      name: "POST /api/v1/uploads, 3 pages",
      async send() {
        const answer = await student.upload(NOTES);
        uploaded.push(answer.body.public_id);
        return answer;
      },
    },
    {
      name: "POST /api/v1/prints/printorder",
      send: () => student.post("/api/v1/prints/printorder", JSON.parse(makeBody(uploaded.pop() ?? ""))),
    },
  ];
}

/** The ranking of the shops is kept as it is until the next order. */
async function rankingAfterOrder(world: World, admin: ApiClient): Promise<Call> {
  const { student } = world;
  const makeBody = await bodyMaker(world);
  const until = indianDay(new Date());
  const input = { from: addDays(until, -29), until };
  const ranking = { name: "the best shops of 30 days, after an order", procedure: "figures.shops", input };
  return {
    ...called(admin, ranking),
    async prepare() {
      const { body: file } = await student.upload(NOTES);
      const order = JSON.parse(makeBody(file.public_id));
      const { status } = await student.post("/api/v1/prints/printorder", order);
      if (status !== 200) throw new Error(`An order was answered with ${status}`);
    },
  };
}

function called(client: ApiClient, { name, procedure, input }: Question): Call {
  return {
    name: `${procedure}: ${name}`,
    send: () => client.query(procedure, input),
  };
}
