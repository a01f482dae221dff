import { EventEmitter } from "node:events";
import type { Server } from "node:http";
import { Readable } from "node:stream";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { endSlowRequests } from "#server/http/bodies.ts";

const PAUSE_MS = 45_000;
/** 180 a second. */
const ENOUGH = 8100;

let server: EventEmitter;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  server = new EventEmitter();
  endSlowRequests(server as Server, PAUSE_MS);
});

/** A request of which the headers have arrived. */
function begin(headers: Record<string, string> = { "content-length": "100000" }) {
  const socket = { bytesRead: 500, writable: true };
  const request = Object.assign(new Readable({ read() {} }), { headers, socket, complete: false });
  const response = new EventEmitter();
  server.emit("request", request, response);
  const sent = (bytes: number) => {
    socket.bytesRead += bytes;
    vi.advanceTimersByTime(PAUSE_MS);
  };
  return { request, response, socket, sent };
}

test("a request that sends 180 bytes a second goes on, and one that sends a byte less is ended", () => {
  const { request, sent } = begin();
  for (let times = 0; times < 3; times++) sent(ENOUGH);
  expect(request.destroyed).toBe(false);
  sent(ENOUGH - 1);
  expect(request.destroyed).toBe(true);
});

test("a request of unknown length is watched too", () => {
  const { request, sent } = begin({ "transfer-encoding": "chunked" });
  sent(0);
  expect(request.destroyed).toBe(true);
});

test("a request that is complete, has been closed or has no body is not watched", () => {
  const complete = begin();
  complete.request.complete = true;
  complete.sent(0);
  const closed = begin();
  closed.request.emit("close");
  const bodiless = begin({});
  expect(vi.getTimerCount()).toBe(0);
  for (const { request } of [complete, closed, bodiless]) expect(request.destroyed).toBe(false);
});

test("what has arrived of an answered request is let go once its connection is closed", () => {
  const { request, response, socket } = begin();
  response.emit("close");
  expect(request.destroyed).toBe(false);
  const other = begin();
  other.socket.writable = false;
  other.response.emit("close");
  expect([other.request.destroyed, socket.writable]).toEqual([true, true]);
});
