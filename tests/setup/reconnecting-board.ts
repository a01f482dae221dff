import { setTimeout as sleep } from "node:timers/promises";
import type { BoardEvent } from "#shared/live-events.ts";
import type { ApiClient } from "./api-client.ts";
import { LiveStream } from "./live-stream.ts";

const PAUSE_MS = 100;

/** The board of a shop that is open all day: when its stream breaks off, it connects again and goes on. */
export class ReconnectingBoard {
  readonly #streams: LiveStream[] = [];
  #isOpen = true;

  private constructor() {}

  /** Opens one that is connected. */
  static async open(staff: ApiClient): Promise<ReconnectingBoard> {
    const board = new ReconnectingBoard();
    void board.#follow(staff);
    while (board.connections === 0) await sleep(PAUSE_MS);
    return board;
  }

  /** Everything that it was told, in that order. */
  get events(): BoardEvent[] {
    return this.#streams.flatMap((stream) => stream.events);
  }

  /** How often it had to connect. */
  get connections(): number {
    return this.#streams.length;
  }

  close(): void {
    this.#isOpen = false;
    this.#streams.at(-1)?.close();
  }

  async #follow(staff: ApiClient): Promise<void> {
    while (this.#isOpen) {
      const stream = await LiveStream.open(staff, this.events.at(-1)?.id).catch(() => null);
      if (stream) this.#streams.push(stream);
      await stream?.ended;
      await sleep(PAUSE_MS);
    }
  }
}
