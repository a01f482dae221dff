import { onTestFinished } from "vitest";
import type { ApiClient } from "../setup/api-client.ts";
import { SocketClient } from "../setup/socket-client.ts";

/** A busy machine needs time for a thousand connections. */
export const WAIT = { timeout: 60_000 };

/** Announces a body of this size and sends none of it. */
export async function announce(
  { url }: { url: string },
  path: string,
  bytes: number,
  headers: Record<string, string> = {},
): Promise<SocketClient> {
  const client = await SocketClient.connect(url);
  onTestFinished(() => client.close());
  const lines = Object.entries({ "Content-Type": "application/json", "Content-Length": bytes, ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  client.send(`POST ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n${head}\r\n`);
  return client;
}

export async function answerOf(
  client: SocketClient,
): Promise<{ status: number; head: string; body: string }> {
  await client.receives(/\r\n\r\n.*\}/s);
  const [head = "", body = ""] = client.received.split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), head, body };
}

export async function accountOf({ visitor }: { visitor: ApiClient }): Promise<string> {
  return (await visitor.get("/api/v1/users/getuser")).body.data._id;
}
