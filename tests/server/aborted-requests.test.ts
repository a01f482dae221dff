import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { expect, onTestFinished, test, vi } from "vitest";
import { SocketClient } from "../setup/socket-client.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();

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
  const client = await SocketClient.connect(store.url);
  const read = (message: unknown) => {
    const { request } = message as { request: IncomingMessage };
    const listener = () => {};
    request.on("error", listener);
    // Node looks for a listener in the next tick, and emits the error in the one after.
    request.once("aborted", () => {
      process.nextTick(() => process.nextTick(() => request.off("error", listener)));
    });
    request.once("close", () => setImmediate(resolve));
  };
  subscribe("http.server.request.start", read);
  onTestFinished(() => void unsubscribe("http.server.request.start", read));
  // Nobody in the store reads the body of such a request, and its response is not ready yet.
  vi.spyOn(store.deps.metrics, "text").mockReturnValue(new Promise(() => {}));
  client.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nfive.");
  client.finish();
  await closed;
  expect(uncaught).toEqual([]);
});
