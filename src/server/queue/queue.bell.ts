import { type Bell, createBell } from "../bell.ts";
import type { Deps } from "../context.ts";
import { findHeadlines, findLogHead, type Headline } from "./queue.log-queries.ts";

/** How often the log is looked at for changes that nobody rang for: another server on the same database made them. */
const LOOK_EVERY_MS = 1000;
/** Entries that are read at once. */
const BATCH = 500;

/** Rings for those in this process who follow the queue's log. */
export interface QueueBell {
  /** Says that the log may have grown: after the commit of what was written to it, wherever that was. */
  ring(): void;
  /** A bell that rings for every entry from now on that concerns its owner, until they leave. */
  follow(concerns: Concerns): Promise<Follower>;
}

export type Concerns = (headline: Headline) => boolean;

export interface Follower extends Pick<Bell, "rings" | "wait"> {
  leave(): void;
}

/**
 * Reads what is new in the log once for all who follow it, however many those are, and wakes those whom it concerns.
 * While nobody follows nothing is read.
 */
export class QueueNews implements QueueBell {
  readonly #deps: Pick<Deps, "readDb" | "log">;
  readonly #followers = new Map<Bell, Concerns>();
  readonly #timer: NodeJS.Timeout;
  /** Up to where the log has been read; null while nobody follows. */
  #position: number | null = null;
  #reading: Promise<void> = Promise.resolve();
  #willRead = false;

  constructor(deps: Pick<Deps, "readDb" | "log">) {
    this.#deps = deps;
    this.#timer = setInterval(() => this.ring(), LOOK_EVERY_MS).unref();
  }

  ring(): void {
    if (this.#followers.size === 0 || this.#willRead) return;
    this.#willRead = true;
    this.#reading = this.#reading.then(() => this.#tell());
  }

  async follow(concerns: Concerns): Promise<Follower> {
    const bell = createBell();
    this.#followers.set(bell, concerns);
    const leave = () => this.#leave(bell);
    const begun = this.#reading.then(() => this.#begin());
    this.#reading = begun.catch(() => {});
    await begun.catch((error: unknown) => {
      leave();
      throw error;
    });
    return {
      get rings() {
        return bell.rings;
      },
      wait: bell.wait,
      leave,
    };
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#reading;
  }

  async #begin(): Promise<void> {
    this.#position ??= await findLogHead(this.#deps.readDb);
  }

  #leave(bell: Bell): void {
    this.#followers.delete(bell);
    if (this.#followers.size === 0) this.#position = null;
  }

  async #tell(): Promise<void> {
    this.#willRead = false;
    try {
      while (await this.#tellSome());
    } catch (error) {
      this.#deps.log.error({ err: error }, "the queue's log could not be read");
      for (const bell of this.#followers.keys()) bell.ring();
    }
  }

  /** Wakes those whom the next entries concern; whether there may be more. */
  async #tellSome(): Promise<boolean> {
    const after = this.#position;
    if (after === null) return false;
    const news = await findHeadlines(this.#deps.readDb, { after, limit: BATCH });
    // Meanwhile everyone may have left.
    if (this.#position === null) return false;
    this.#position = news.at(-1)?.seq ?? after;
    for (const [bell, concerns] of this.#followers) if (news.some(concerns)) bell.ring();
    return news.length === BATCH;
  }
}
