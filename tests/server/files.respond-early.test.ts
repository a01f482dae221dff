import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { signedInStudent } from "../factories/students.ts";
import { testStore } from "../setup/test-store.ts";

const MB = 1024 * 1024;
const PART = '--line\r\nContent-Disposition: form-data; name="file"; filename="notes.pdf"\r\n\r\n';

const store = testStore({ MAX_UPLOAD_MB: "4" });
let cookie: string;
beforeAll(async () => {
  cookie = (await signedInStudent(store)).visitor.cookieHeader;
});

const FORM = { path: "/api/v1/uploads", type: "multipart/form-data; boundary=line" };
const PHOTO = { path: "/api/trpc/reprints.uploadPhoto", type: "application/octet-stream" };

/** A client on the socket level, which controls when it sends and reads. */
class RawUpload {
  readonly #socket: Socket;
  #received = "";

  constructor(headers: string[], { path, type } = FORM) {
    const { hostname, port, host } = new URL(store.url);
    this.#socket = connect(Number(port), hostname);
    this.#socket.pause();
    this.#socket.on("error", () => {});
    this.#socket.on("data", (data) => {
      this.#received += data;
    });
    const head = [`POST ${path} HTTP/1.1`, `Host: ${host}`, `Content-Type: ${type}`];
    this.#socket.write([...head, ...headers, "", ""].join("\r\n"));
  }

  /** Sends megabytes in chunks, like a slow connection, until the store closes it. */
  async sendSlowly(megabytes: number, pauseMs = 60): Promise<void> {
    this.#chunk(Buffer.from(PART));
    for (let sent = 0; sent < megabytes && this.#socket.writable; sent++) {
      this.#chunk(Buffer.alloc(MB));
      await wait(pauseMs);
    }
    this.#socket.write("0\r\n\r\n");
  }

  /** The status line and body of the answer; fails if the connection breaks before. */
  async answer(): Promise<{ status: number; headers: string; body: { code: string; message: string } }> {
    await this.#until(() => this.#received.endsWith("}"));
    const [headers = "", body = ""] = this.#received.split("\r\n\r\n");
    return { status: Number(headers.split(" ")[1]), headers, body: JSON.parse(body) };
  }

  /** Where the answer leads; fails if the connection breaks before. */
  async redirect(): Promise<string | undefined> {
    await this.#until(() => this.#received.includes("\r\n\r\n"));
    return /^HTTP\/1.1 303 .*^location: (\S+)/ims.exec(this.#received)?.[1];
  }

  async #until(hasArrived: () => boolean): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const broken = () => reject(new Error("the connection closed without an answer"));
      if (this.#socket.closed) broken();
      this.#socket.once("close", broken);
      this.#socket.on("data", () => hasArrived() && resolve());
      this.#socket.resume();
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #chunk(bytes: Buffer): void {
    this.#socket.write(`${bytes.length.toString(16)}\r\n`);
    this.#socket.write(bytes);
    this.#socket.write("\r\n");
  }
}

const CHUNKED = "Transfer-Encoding: chunked";

describe("an upload refused before it is complete", () => {
  test("is answered before a large announced body arrives", async () => {
    const upload = new RawUpload([`Cookie: ${cookie}`, `Content-Length: ${500 * MB}`]);
    const { status, headers, body } = await upload.answer();
    expect([status, body.code]).toEqual([413, "TOO_LARGE"]);
    expect(headers).toMatch(/^connection: close$/im);
    upload.close();
  });

  test("is answered as soon as it exceeds the limit", async () => {
    const upload = new RawUpload([`Cookie: ${cookie}`, CHUNKED]);
    const sending = upload.sendSlowly(Number.POSITIVE_INFINITY);
    expect((await upload.answer()).body.message).toBe(
      "The file is larger than 4 MB. Please upload a smaller one",
    );
    upload.close();
    await sending;
  });

  test.each([
    ["too large", FORM, () => [`Cookie: ${cookie}`], 413],
    ["from a guest", FORM, () => [], 401],
    ["too large a photo", PHOTO, () => [`Cookie: ${cookie}`], 413],
    ["a guest's photo", PHOTO, () => [], 401],
  ])(
    "because it is %s is answered even if its sender reads only at the end",
    async (_why, to, headers, status) => {
      const upload = new RawUpload([...headers(), CHUNKED], to);
      await upload.sendSlowly(110, 20);
      expect((await upload.answer()).status).toBe(status);
      upload.close();
    },
  );

  test("because a browser without the service worker shares files is answered so, too", async () => {
    const upload = new RawUpload([CHUNKED], { ...FORM, path: "/share-target" });
    await upload.sendSlowly(110, 20);
    expect(await upload.redirect()).toBe("/shared?missed=1");
    upload.close();
  });

  test("is answered even if its connection is slow and pauses", async () => {
    const upload = new RawUpload([CHUNKED]);
    await upload.sendSlowly(4, 1000);
    expect((await upload.answer()).status).toBe(401);
    upload.close();
  });
});
