import { setTimeout as sleep } from "node:timers/promises";
import { type ApiAnswer, ApiClient } from "../setup/api-client.ts";
import type { Ledger } from "./ledger.ts";
import type { PostOffice } from "./post-office.ts";

const ANSWER_WITHIN_MS = 30_000;
const PAUSE_MS = 100;

/** Somebody gives up, because nobody makes room on the disk any more. */
export class WorldEnded extends Error {}

/** The world around the server, in which people live until it is over. */
export class World {
  readonly ledger: Ledger;
  readonly post: PostOffice;
  readonly baseUrl: string;
  isOver = false;
  /** Nobody new joins while mails do not arrive. */
  maySignUp = true;
  /** The store may say that it is full. */
  mayBeFull: boolean;

  constructor(world: { ledger: Ledger; post: PostOffice; baseUrl: string; mayBeFull: boolean }) {
    this.ledger = world.ledger;
    this.post = world.post;
    this.baseUrl = world.baseUrl;
    this.mayBeFull = world.mayBeFull;
  }

  /** Nobody makes room on a small disk any more, so waiting on may be in vain. */
  get mayGiveUp(): boolean {
    return this.isOver && this.mayBeFull;
  }

  visitor(): ApiClient {
    return new ApiClient(this.baseUrl);
  }

  /** Asks once; null when the answer is lost, or when there is no room for what was asked. */
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
   * Asks until there is an answer, as somebody does who sees an error and presses the button again. Throws WorldEnded
   * where a small disk has stayed full until then.
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

function isFull({ status, body }: ApiAnswer): boolean {
  return status === 503 && (body.code ?? body.error?.data?.appCode) === "STORAGE_FULL";
}

/** Notes an answer that is not the one that had to come. */
export function recordUnexpected(world: World, what: string, { status, body }: ApiAnswer): boolean {
  if (status === 200) return true;
  world.ledger.surprises.push(`${what}: ${status} ${JSON.stringify(body).slice(0, 200)}`);
  return false;
}
