import { setTimeout as sleep } from "node:timers/promises";
import type { BoardEvent, OwnOrderEvent } from "#shared/live-events.ts";
import type { ApiClient } from "./api-client.ts";

const TIMEOUT_MS = 30_000;

/** One message of an event stream on the wire. */
interface Message {
  event: string;
  id?: string;
  data: string;
}

/** A live screen of the order queue or of a student's own orders; it stores all events. */
export class LiveStream<Event extends { id: string } = BoardEvent> {
  readonly messages: Message[] = [];
  /** How often the server said that the line holds. */
  signs = 0;
  readonly #events: Event[] = [];
  /** Resolves when the server has ended the stream or the connection broke. */
  readonly ended: Promise<void>;
  readonly #connection = new AbortController();

  private constructor(response: Response) {
    this.ended = this.#read(response).catch(() => {});
  }

  /** @param lastEventId what a browser sends when it reconnects */
  static async open(visitor: ApiClient, lastEventId?: string): Promise<LiveStream> {
    return new LiveStream(await openStream(visitor, "board.live", lastEventId));
  }

  static async openOwn(visitor: ApiClient, lastEventId?: string): Promise<LiveStream<OwnOrderEvent>> {
    return new LiveStream<OwnOrderEvent>(await openStream(visitor, "orders.live", lastEventId));
  }

  /** The order events received so far. */
  get events(): Event[] {
    return [...this.#events];
  }

  /** The error code that ended the stream, if any. */
  get failure(): string | undefined {
    const failed = this.messages.find(({ event }) => event === "serialized-error");
    return failed && JSON.parse(failed.data).data.appCode;
  }

  /** Resolves with the events once there are `count` of them. */
  async until(count: number): Promise<Event[]> {
    const deadline = Date.now() + TIMEOUT_MS;
    while (this.#events.length < count) {
      if (Date.now() > deadline) throw new Error(`Only ${this.#events.length} of ${count} events came`);
      await sleep(10);
    }
    return this.events;
  }

  /** Breaks the connection, like a lost network. */
  close(): void {
    this.#connection.abort();
  }

  async #read(response: Response): Promise<void> {
    let pending = "";
    const decoder = new TextDecoderStream();
    const text = response.body?.pipeThrough(decoder, { signal: this.#connection.signal }) ?? [];
    for await (const chunk of text) {
      const blocks = (pending + chunk).split("\n\n");
      pending = blocks.pop() ?? "";
      for (const block of blocks) if (block.trim() !== "") this.#take(parseBlock(block));
    }
  }

  #take(message: Message): void {
    this.messages.push(message);
    if (message.event !== "message") return;
    const sent = JSON.parse(message.data);
    if (sent.kind === "alive") this.signs++;
    else this.#events.push(sent);
  }
}

async function openStream(visitor: ApiClient, procedure: string, lastEventId?: string): Promise<Response> {
  const response = await visitor.fetch(`/api/trpc/${procedure}`, {
    headers: { Accept: "text/event-stream", ...(lastEventId && { "Last-Event-ID": lastEventId }) },
  });
  if (response.ok) return response;
  throw new Error(`${procedure} answered ${response.status}: ${await response.text()}`);
}

function parseBlock(block: string): Message {
  const message: Message = { event: "message", data: "" };
  for (const line of block.trim().split("\n")) {
    const [name = "", ...value] = line.split(": ");
    if (name === "event" || name === "data" || name === "id") message[name] = value.join(": ");
  }
  return message;
}
