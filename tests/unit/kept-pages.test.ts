import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { MINUTE_MS } from "#shared/durations.ts";
import { GUEST, PAGE_CACHE, readViewer, setViewer } from "#ui/page-cache.ts";

const ORIGIN = "https://print.example";

/** As browsers' caches do, it answers with copies, and puts what is stored again at the end. */
class CacheInMemory {
  readonly #answers = new Map<string, Response>();

  async put(asked: Request | string, answer: Response): Promise<void> {
    this.#answers.delete(urlOf(asked));
    this.#answers.set(urlOf(asked), answer);
  }

  async match(asked: Request | URL | string): Promise<Response | undefined> {
    return this.#answers.get(urlOf(asked))?.clone();
  }

  async keys(): Promise<Request[]> {
    return [...this.#answers.keys()].map((url) => new Request(url));
  }

  async delete(asked: Request | URL | string): Promise<boolean> {
    return this.#answers.delete(urlOf(asked));
  }
}

function urlOf(asked: Request | URL | string): string {
  return asked instanceof Request ? asked.url : new URL(asked, ORIGIN).href;
}

/** An event of the worker, and the end of all that it starts. */
class WorkerEvent {
  readonly #work: Promise<unknown>[] = [];

  waitUntil(work: Promise<unknown>): void {
    this.#work.push(work);
  }

  async end(): Promise<void> {
    for (const work of this.#work) await work;
  }
}

class Navigation extends WorkerEvent {
  readonly resultingClientId = "the new page";
  readonly request: Request;

  constructor(path: string) {
    super();
    this.request = new Request(ORIGIN + path, { redirect: "manual" });
  }
}

interface Worker {
  cachePage(path: string, event: WorkerEvent): Promise<void>;
  answerPage(event: Navigation): Promise<Response>;
  ageOf(clientId: string): number | null;
}

let worker: Worker;
let stored: Map<string, CacheInMemory>;
/** What the server answers; by default a page. */
let answer: (request: Request) => Response | Promise<Response>;
/** The paths that it was asked for. */
let asked: string[];

const page = (text = "A page", headers: Record<string, string> = {}, status = 200) =>
  new Response(text, {
    status,
    headers: { "content-type": "text/html; charset=utf-8", date: new Date().toUTCString(), ...headers },
  });

beforeAll(async () => {
  // Workbox says much to developers.
  vi.stubEnv("NODE_ENV", "production");
  const caches = {
    async open(name: string) {
      const known = stored.get(name) ?? new CacheInMemory();
      stored.set(name, known);
      return known;
    },
    async match(wanted: Request | URL | string, { cacheName }: { cacheName: string }) {
      return stored.get(cacheName)?.match(wanted);
    },
    async delete(name: string) {
      return stored.delete(name);
    },
  };
  vi.stubGlobal("caches", caches);
  vi.stubGlobal("self", { location: new URL(ORIGIN), caches });
  vi.stubGlobal("FetchEvent", Navigation);
  vi.stubGlobal("fetch", async (request: Request) => {
    asked.push(new URL(request.url).pathname);
    return answer(request);
  });
  // Written for a worker, whose types a page has not.
  const path = "../../src/client/service-worker/pages.ts";
  worker = await import(path);
});

afterAll(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

beforeEach(() => {
  [stored, asked, answer] = [new Map(), [], () => page()];
});

afterEach(() => {
  vi.useRealTimers();
});

async function keep(path: string): Promise<void> {
  const event = new WorkerEvent();
  await worker.cachePage(path, event);
  await event.end();
}

async function open(path: string): Promise<Response> {
  const event = new Navigation(path);
  const shown = await worker.answerPage(event);
  await event.end();
  return shown;
}

async function kept(): Promise<string[]> {
  return ((await stored.get(PAGE_CACHE)?.keys()) ?? []).map(({ url }) => url.slice(ORIGIN.length));
}

test("the 30 pages that were seen last are kept", async () => {
  for (let id = 1; id <= 30; id++) await keep(`/orders/${id}`);
  await open("/orders/1");
  expect(await kept()).toHaveLength(30);
  for (const path of ["/faq", "/printnow?id=red-soil-prints"]) await keep(path);
  const paths = await kept();
  expect(paths).toHaveLength(30);
  expect(paths.slice(0, 2)).toEqual(["/orders/4", "/orders/5"]);
  expect(paths.slice(-3)).toEqual(["/orders/1", "/faq", "/printnow?id=red-soil-prints"]);
});

test.each([
  "/login",
  "/profile",
  "/settings",
  "/forgotpassword",
  "/reset-password?token=secret",
  "/orders/1/receipt.pdf",
  "/admin",
  "/api/v1/users/getuser",
  "https://evil.example/faq",
  "//evil.example/faq",
])("%s is neither asked for nor kept", async (path) => {
  await keep(path);
  expect([asked, await kept()]).toEqual([[], []]);
});

test("a page that needs a connection is shown, and not kept", async () => {
  expect(await (await open("/settings")).text()).toBe("A page");
  expect(await kept()).toEqual([]);
});

test.each<[string, (request: Request) => Response]>([
  ["that could not be made", () => page("Sorry", {}, 503)],
  ["that is none", () => page("{}", { "content-type": "application/json" })],
  ["of somebody else", () => page("Order 7", { "page-viewer": "asha" })],
  [
    "that leads to the login",
    ({ redirect }) =>
      redirect === "follow"
        ? page("Login")
        : new Response(null, { status: 307, headers: { location: "/login" } }),
  ],
])("a page %s is not kept", async (_what, answered) => {
  answer = answered;
  await keep("/orders");
  await open("/orders");
  expect([asked, await kept()]).toEqual([["/orders", "/orders"], []]);
});

test("a page that is shown again within a minute is not asked for again", async () => {
  vi.useFakeTimers({ now: 10 * MINUTE_MS, toFake: ["Date"] });
  await keep("/faq");
  vi.setSystemTime(11 * MINUTE_MS - 1);
  await keep("/faq");
  expect(asked).toEqual(["/faq"]);
  vi.setSystemTime(11 * MINUTE_MS);
  await keep("/faq");
  expect(asked).toEqual(["/faq", "/faq"]);
});

test("after three seconds without an answer the kept page is shown, with its age, and the new one is kept", async () => {
  vi.useFakeTimers({ now: 10 * MINUTE_MS, toFake: ["Date"] });
  answer = () => page("Old");
  await open("/faq");
  expect(worker.ageOf("the new page")).toBeNull();

  vi.useFakeTimers({ now: 20 * MINUTE_MS });
  const { promise: slow, resolve: arrive } = Promise.withResolvers<Response>();
  answer = () => slow;
  const event = new Navigation("/faq");
  let shown: Response | undefined;
  void worker.answerPage(event).then((response) => {
    shown = response;
  });
  await vi.advanceTimersByTimeAsync(2999);
  expect(shown).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(await shown?.text()).toBe("Old");
  expect(worker.ageOf("the new page")).toBe(10 * MINUTE_MS);

  arrive(page("New"));
  await vi.advanceTimersByTimeAsync(0);
  await event.end();
  const cached = await stored.get(PAGE_CACHE)?.match("/faq");
  expect(await cached?.text()).toBe("New");
});

test("whose pages may be kept is what was said last, as at a login on a shared computer", async () => {
  await Promise.all([setViewer("asha"), setViewer(GUEST)]);
  expect(await readViewer()).toBe(GUEST);
  await Promise.all([setViewer("asha"), setViewer("meera")]);
  expect(await readViewer()).toBe("meera");
});
