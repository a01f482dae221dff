import { SocketClient } from "../setup/socket-client.ts";

/** Connections opened at the same time. */
const AT_ONCE = 200;

/** Opens many connections, each of which sends this and waits. */
async function openMany(url: string, count: number, request: string): Promise<SocketClient[]> {
  const clients: SocketClient[] = [];
  const open = async () => {
    const client = await SocketClient.connect(url);
    client.send(request);
    return client;
  };
  while (clients.length < count) {
    const wanted = Math.min(AT_ONCE, count - clients.length);
    clients.push(...(await Promise.all(Array.from({ length: wanted }, open))));
  }
  return clients;
}

export interface UnfinishedBody {
  connections: number;
  /** The path of the request. */
  path: string;
  /** The announced length of the body; all but the last byte is sent. */
  bytes: number;
}

/** Opens connections that announce a body, send all but its end, and wait. */
export function openUnfinishedBodies(
  url: string,
  { connections, path, bytes }: UnfinishedBody,
): Promise<SocketClient[]> {
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${new URL(url).host}`,
    "Content-Type: application/json",
    `Content-Length: ${bytes}`,
  ];
  const body = `{"email":"`.padEnd(bytes - 1, "a");
  return openMany(url, connections, `${head.join("\r\n")}\r\n\r\n${body}`);
}

/** Opens live streams of one session, which its reader never closes. */
export function openStreams(
  url: string,
  { streams, cookie }: { streams: number; cookie: string },
): Promise<SocketClient[]> {
  const head = ["GET /api/trpc/orders.live HTTP/1.1", `Host: ${new URL(url).host}`, `Cookie: ${cookie}`];
  return openMany(url, streams, `${head.join("\r\n")}\r\n\r\n`);
}

/** Whether a stream has started. */
export function isStarted({ received }: SocketClient): boolean {
  return received.includes("event: connected");
}

/** The code with which the server has ended a stream, if it has. */
export function endOf({ received }: SocketClient): string | undefined {
  return /"appCode":"(\w+)"/.exec(received)?.[1];
}
