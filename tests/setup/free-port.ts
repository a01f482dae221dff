import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below those that systems give away by themselves, so that no connection takes the port before it is used. */
const LOWEST = 10_000;
const ABOVE_HIGHEST = 32_000;

/** A port of this machine that nobody listens on just now, and that only another caller may find as well. */
export async function freePort(): Promise<number> {
  const port = randomInt(LOWEST, ABOVE_HIGHEST);
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return freePort();
  }
  server.close();
  await once(server, "close");
  return port;
}
