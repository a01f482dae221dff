import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** A proxy before a server that changes, holds or cuts its answers. */
interface EditingProxy {
  url: string;
  /** Changes the text of later answers to this path. */
  edit(path: string, change: (text: string) => string | Promise<string>): void;
  /** Holds later answers to this path until the returned function is called; the browser keeps none of them. */
  hold(path: string): { isAsked: Promise<void>; release: () => void };
  /** Sends later answers to this path only up to this text, and the rest when the returned function is called. */
  cut(path: string, before: string): () => void;
}

/** Starts one before the server at `target`; it ends with the test. */
export async function startEditingProxy(target: string): Promise<EditingProxy> {
  const edits = new Map<string, (text: string) => string | Promise<string>>();
  const holds = new Map<string, { asked: () => void; released: Promise<void> }>();
  const cuts = new Map<string, { before: string; released: Promise<void> }>();
  const server = createServer((incoming, response) => {
    const path = (incoming.url ?? "").split("?")[0] ?? "";
    const { "if-none-match": _known, ...asked } = incoming.headers;
    const headers = { ...asked, "accept-encoding": "identity" };
    const outgoing = request(target + incoming.url, { method: incoming.method, headers }, async (answer) => {
      const hold = holds.get(path);
      hold?.asked();
      await hold?.released;
      const edit = edits.get(path);
      const cut = cuts.get(path);
      if (!edit && !cut) {
        const kept = hold && { "cache-control": "no-store" };
        response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...kept });
        return answer.pipe(response);
      }
      const { "content-length": _length, etag: _tag, ...others } = answer.headers;
      const original = (await buffer(answer)).toString();
      const text = (await edit?.(original)) ?? original;
      response.writeHead(answer.statusCode ?? 502, others);
      const middle = cut ? text.indexOf(cut.before) : 0;
      response.write(text.slice(0, middle));
      await cut?.released;
      response.end(text.slice(middle));
    });
    outgoing.on("error", () => response.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    edit: (path, change) => void edits.set(path, change),
    hold(path) {
      const asked = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      holds.set(path, { asked: asked.resolve, released: released.promise });
      return {
        isAsked: asked.promise,
        release: () => {
          holds.delete(path);
          released.resolve();
        },
      };
    },
    cut(path, before) {
      const { promise, resolve } = Promise.withResolvers<void>();
      cuts.set(path, { before, released: promise });
      return resolve;
    },
  };
}
