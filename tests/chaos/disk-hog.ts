import { closeSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Dice } from "../load/dice.ts";

const KB = 1024;
const CHUNKS = [1024 * KB, 64 * KB, 4 * KB] as const;
/** A larger disk is the machine's own: the small one is unmounted when somebody deletes its folder. */
const LARGEST_DISK = 1024 * 1024 * KB;

/** Fills the server's disk and frees it again, repeatedly. */
export class DiskHog {
  readonly #path: string;
  readonly #dice: Dice;
  #isWanted = false;
  #done: Promise<void> = Promise.resolve();

  constructor(dataDir: string, dice: Dice) {
    this.#path = join(dataDir, "ballast");
    this.#dice = dice;
  }

  start(): void {
    this.#isWanted = true;
    this.#done = this.#live();
  }

  async stop(): Promise<void> {
    this.#isWanted = false;
    await this.#done;
  }

  async #live(): Promise<void> {
    while (this.#isWanted) {
      await sleep(this.#dice.int(1000, 6000));
      const until = performance.now() + this.#dice.int(300, 3000);
      // Space that becomes free meanwhile is filled too.
      while (this.#isWanted && performance.now() < until) {
        this.#fill();
        await sleep(20);
      }
      rmSync(this.#path, { force: true });
    }
  }

  #fill(): void {
    const { blocks, bsize } = statfsSync(dirname(this.#path));
    if (blocks * bsize > LARGEST_DISK) throw new Error("the disk to fill is not the small one");
    const file = openSync(this.#path, "a");
    try {
      for (const size of CHUNKS) writeUntilFull(file, Buffer.alloc(size));
    } finally {
      closeSync(file);
    }
  }
}

function writeUntilFull(file: number, chunk: Buffer): void {
  try {
    for (;;) writeSync(file, chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}
