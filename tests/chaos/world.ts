import { setTimeout as sleep } from "node:timers/promises";
import type { OrderState } from "#shared/order-states.ts";
import { type ApiAnswer, ApiClient } from "../setup/api-client.ts";
import type { MailServer } from "./disasters.ts";

export interface AnsweredUpload {
  sha256: string;
  /** Whether its owner has requested its removal, and whether that was confirmed. */
  removal: "none" | "asked" | "answered";
}

export interface AnsweredOrder {
  number: string;
  /** The e-mail of its owner. */
  email: string;
  key: string;
  fileIds: string[];
}

interface AnsweredMove {
  orderId: string;
  state: OrderState;
}

/** Everything that the server has confirmed and must never lose, as recorded by the clients. */
export class Ledger {
  /** E-mails of verified accounts. */
  readonly accounts = new Set<string>();
  readonly uploads = new Map<string, AnsweredUpload>();
  readonly orders = new Map<string, AnsweredOrder>();
  readonly moves: AnsweredMove[] = [];
  /** All idempotency keys that were used, confirmed or not. */
  readonly keys = new Set<string>();
  /** Responses that nobody should get. */
  readonly surprises: string[] = [];
  /** Requests without a response. */
  lostAnswers = 0;
  /** Requests refused because the disk was full. */
  refusals = 0;
  /** Orders that were sent again with their key. */
  repeats = 0;
  slowestOrderMs = 0;
}

const ANSWER_WITHIN_MS = 30_000;
const PAUSE_MS = 100;

/** The run has ended while the disk was still full. */
export class WorldEnded extends Error {}

/** The simulated clients share this state until the run ends. */
export class World {
  readonly ledger: Ledger;
  readonly post: MailServer;
  readonly baseUrl: string;
  isOver = false;
  /** Nobody new joins while mails do not arrive. */
  maySignUp = true;
  /** The store may say that it is full. */
  mayBeFull: boolean;

  constructor(world: { ledger: Ledger; post: MailServer; baseUrl: string; mayBeFull: boolean }) {
    this.ledger = world.ledger;
    this.post = world.post;
    this.baseUrl = world.baseUrl;
    this.mayBeFull = world.mayBeFull;
  }

  /** The disk stays full, so that retrying may never succeed. */
  get mayGiveUp(): boolean {
    return this.isOver && this.mayBeFull;
  }

  visitor(): ApiClient {
    return new ApiClient(this.baseUrl);
  }

  /** Sends the request once; null if the response is lost or the disk is full. */
  async ask(what: string, request: () => Promise<ApiAnswer>): Promise<ApiAnswer | null> {
    const answer = await this.#answered(request);
    if (answer === "late")
      this.ledger.surprises.push(`${what}: no answer within ${ANSWER_WITHIN_MS / 1000} s`);
    if (answer === null || answer === "late") return this.#none();
    if (this.mayBeFull && isFull(answer)) {
      this.ledger.refusals++;
      return this.#none();
    }
    if (answer.status >= 500) {
      this.ledger.surprises.push(`${what}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`);
    }
    return answer;
  }

  /**
   * Repeats the request until there is a response, like a person who presses the button again. Throws WorldEnded if the
   * disk stayed full until the end.
   */
  async insist(what: string, request: () => Promise<ApiAnswer>): Promise<ApiAnswer> {
    for (;;) {
      const answer = await this.ask(what, request);
      if (answer) return answer;
      if (this.mayGiveUp) throw new WorldEnded();
    }
  }

  async #answered(request: () => Promise<ApiAnswer>): Promise<ApiAnswer | "late" | null> {
    const stopTimer = new AbortController();
    const late = sleep(ANSWER_WITHIN_MS, "late" as const, { signal: stopTimer.signal });
    late.catch(() => undefined);
    try {
      return await Promise.race([request(), late]);
    } catch {
      this.ledger.lostAnswers++;
      return null;
    } finally {
      stopTimer.abort();
    }
  }

  async #none(): Promise<null> {
    await sleep(PAUSE_MS);
    return null;
  }
}

/** Whether the disk was full for the request, or for the start of the server that it reached. */
function isFull({ status, body }: ApiAnswer): boolean {
  const code = body.code ?? body.error?.data?.appCode;
  return status === 503 && (code === "STORAGE_FULL" || body === "The store could not be started");
}

/** Whether the call succeeded; records any other response as unexpected. */
export function recordUnexpected(world: World, what: string, { status, body }: ApiAnswer): boolean {
  if (status === 200) return true;
  world.ledger.surprises.push(`${what}: ${status} ${JSON.stringify(body).slice(0, 200)}`);
  return false;
}
