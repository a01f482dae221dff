import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { ignoreAborts } from "#server/http/bodies.ts";

test("a client that leaves while the reader of its body stops listening does not end the process", async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const uncaught: unknown[] = [];
  const hear = (error: unknown) => {
    uncaught.push(error);
    resolve();
  };
  const others = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  process.on("uncaughtException", hear);
  onTestFinished(() => {
    process.off("uncaughtException", hear);
    for (const other of others) process.on("uncaughtException", other);
  });
  const server = createServer((request: IncomingMessage) => {
    const listener = () => {};
    request.on("error", listener);
    // Node looks for a listener in the next tick, and emits the error in the one after.
    request.once("aborted", () => {
      process.nextTick(() => process.nextTick(() => request.off("error", listener)));
    });
    request.once("close", () => setImmediate(resolve));
    client.destroy();
  });
  ignoreAborts(server);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  client.write("POST / HTTP/1.1\r\nHost: store\r\nContent-Length: 10\r\n\r\nfive.");
  await closed;
  expect(uncaught).toEqual([]);
});
