import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ephemeral ports, so that no outgoing connection takes the port before it is used. */
const LOWEST = 10_000;
const ABOVE_HIGHEST = 32_000;

/** A port that is free at the moment. */
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
