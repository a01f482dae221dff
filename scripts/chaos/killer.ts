import { setTimeout as sleep } from "node:timers/promises";
import type { Dice } from "../load/dice.ts";
import type { ChaosPlan } from "./plan.ts";
import type { ServerProcess } from "./server-process.ts";

const SHORTEST_LIFE_MS = 50;
const STARTING_MS = 1500;

/** Kills the server so many times, under load mostly and sometimes while it starts, and starts it again at once. */
export async function killAtRandom(server: ServerProcess, dice: Dice, plan: ChaosPlan): Promise<void> {
  for (let kill = 0; kill < plan.kills; kill++) {
    const whileStarting = dice.chance(0.15);
    const lifeMs = dice.int(SHORTEST_LIFE_MS, whileStarting ? STARTING_MS : plan.longestLifeMs);
    if (!whileStarting) await server.keepOpen();
    await sleep(lifeMs);
    await server.kill();
    server.start();
  }
}
