import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  answerProgress,
  type Break,
  deleteFiles,
  type Exchange,
  type RemoteApp,
  type RemoteFile,
  receiveUpload,
  refuse,
  serveFile,
} from "./uploadthing-emulator.handlers.ts";

type Operation = "upload" | "resume" | "read" | "delete";

/** How a request fails: a status, no answer at all, or a break midway. */
type Fault = 400 | 403 | 404 | 429 | 500 | 503 | "hang" | Break;

interface SeenRequest {
  operation: Operation;
  range: string | undefined;
  /** How long its signed URL was still valid, in ms. */
  validMs: number;
  /** Undefined when it was never answered. */
  status: number | undefined;
}

/** UploadThing's endpoints for uploading, signed reading and deleting on this machine, as strict as the real ones. */
export class UploadThingEmulator implements RemoteApp {
  readonly apiKey = `sk_live_${"0123456789abcdef".repeat(4)}`;
  readonly appId: string;
  readonly files = new Map<string, RemoteFile>();
  readonly requests: SeenRequest[] = [];
  readonly folder: string;
  /** How many requests are neither answered to their end nor cut off. */
  answering = 0;
  readonly #faults: { operation: Operation; fault: Fault; times: number; after: number }[] = [];
  readonly #server: Server;

  private constructor(folder: string, appId: string) {
    this.folder = folder;
    this.appId = appId;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(appId = "app0emulated"): Promise<UploadThingEmulator> {
    const emulator = new UploadThingEmulator(await mkdtemp(join(tmpdir(), "uploadthing-")), appId);
    await new Promise<void>((resolve) => emulator.#server.listen(0, "127.0.0.1", resolve));
    return emulator;
  }

  /** An emulator that stops with the running test. */
  static async forTest(appId?: string): Promise<UploadThingEmulator> {
    const emulator = await UploadThingEmulator.start(appId);
    onTestFinished(() => emulator.close());
    return emulator;
  }

  get origin(): string {
    return `http://${this.host}`;
  }

  /** A host name of this machine for which the SDK uses plain HTTP. */
  get host(): string {
    return `localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  get token(): string {
    const content = { apiKey: this.apiKey, appId: this.appId, regions: ["bom1"] };
    return Buffer.from(JSON.stringify(content)).toString("base64");
  }

  /** The settings of a store that keeps its files here; several servers also need the same SECRET. */
  get settings(): Record<string, string> {
    return {
      UPLOADTHING_TOKEN: this.token,
      UPLOADTHING_API_URL: this.origin,
      UPLOADTHING_INGEST_URL: this.origin,
      UPLOADTHING_UFS_HOST: this.host,
      SECRET: "the same on every server of the store",
    };
  }

  /** The keys of complete files. */
  get keys(): string[] {
    const whole = [...this.files].filter(([, file]) => file.arrived === file.size);
    return whole.map(([key]) => key.slice(12));
  }

  /** Lets the next `times` requests of this kind fail, but for the first `after`. */
  fail(operation: Operation, fault: Fault, times = Number.POSITIVE_INFINITY, after = 0): void {
    this.#faults.push({ operation, fault, times, after });
  }

  mend(): void {
    this.#faults.length = 0;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await rm(this.folder, { recursive: true, force: true });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const operation = operationOf(request);
    if (!operation) return void response.writeHead(404).end();
    const expires = Number(new URL(request.url ?? "", this.origin).searchParams.get("expires"));
    const validMs = expires - Date.now();
    const seen: SeenRequest = { operation, range: request.headers.range, validMs, status: undefined };
    this.requests.push(seen);
    this.answering++;
    response.on("close", () => this.answering--);
    response.on("finish", () => {
      seen.status = response.statusCode;
    });
    request.on("error", () => {});
    const fault = this.#nextFault(operation);
    if (fault === "hang") return void request.resume();
    const breaks = typeof fault === "string" ? fault : undefined;
    const exchange: Exchange = { app: this, request, response, breaks };
    if (typeof fault === "number") return refuse(exchange, fault, "It was to fail");
    await HANDLERS[operation](exchange).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else refuse(exchange, 500, String(error));
    });
  }

  /** How the next request of this kind fails, if at all. */
  #nextFault(operation: Operation): Fault | undefined {
    const due = this.#faults.find((fault) => fault.operation === operation && fault.times > 0);
    if (!due) return undefined;
    if (due.after > 0) {
      due.after--;
      return undefined;
    }
    due.times--;
    return due.fault;
  }
}

const HANDLERS: Record<Operation, (exchange: Exchange) => Promise<void>> = {
  upload: receiveUpload,
  resume: answerProgress,
  read: serveFile,
  delete: deleteFiles,
};

function operationOf({ method, url = "" }: IncomingMessage): Operation | undefined {
  if (method === "POST" && url === "/v6/deleteFiles") return "delete";
  if (method === "PUT") return "upload";
  if (method === "HEAD") return "resume";
  return method === "GET" ? "read" : undefined;
}
