import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { SendPush } from "#server/push/push.worker.ts";

/** A browser at the push service, which alone can read what is sent to it. */
export interface PushBrowser {
  /** What the page sends to the store. */
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  received: ReceivedPush[];
  /** How the service answers for this browser, if not as for all. */
  answer?: number | Promise<number>;
}

interface ReceivedPush {
  payload: { title: string; body: string; path: string; viewer: string };
  ttl: number;
  urgency: string;
  topic: string;
  /** What the store says about itself, once its signature is checked. */
  vapid: { aud: string; sub: string; publicKey: string };
}

interface PushService {
  send: SendPush;
  newBrowser(host?: string): PushBrowser;
  /** How the service answers from now on: a status, also one that comes later, or `silent` for none at all. */
  answer: number | Promise<number> | "silent";
  /** How many requests arrived, whatever the answer. */
  requests: number;
  stop(): Promise<void>;
}

/** A real push service on this machine. The store's requests reach it instead of the host in their endpoint. */
export async function startPushService(): Promise<PushService> {
  const browsers = new Map<string, { browser: PushBrowser; read(body: Buffer): string }>();
  const server = createServer(async (request, response) => {
    service.requests += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const known = browsers.get(request.url ?? "");
    const answer = await (known?.browser.answer ?? service.answer);
    if (answer === "silent") return;
    if (answer === 201 && known) {
      const { headers } = request;
      known.browser.received.push({
        payload: JSON.parse(known.read(Buffer.concat(chunks))),
        ttl: Number(headers.ttl),
        urgency: String(headers.urgency),
        topic: String(headers.topic),
        vapid: readVapid(String(headers.authorization)),
      });
    }
    response.writeHead(known ? answer : 404).end();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const service: PushService = {
    answer: 201,
    requests: 0,
    async send({ endpoint, headers, body }, signal) {
      const url = `http://127.0.0.1:${port}${new URL(endpoint).pathname}`;
      const response = await fetch(url, { method: "POST", headers, body, signal });
      return response.status;
    },
    newBrowser(host = "fcm.googleapis.com") {
      const path = `/fcm/send/${randomBytes(16).toString("hex")}`;
      const pair = createECDH("prime256v1");
      const p256dh = pair.generateKeys("base64url");
      const auth = randomBytes(16);
      const keys = { p256dh, auth: auth.toString("base64url") };
      const browser: PushBrowser = {
        subscription: { endpoint: `https://${host}${path}`, keys },
        received: [],
      };
      browsers.set(path, { browser, read: (body) => decrypt(body, pair, auth) });
      return browser;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return service;
}

/** RFC 8291 and 8188, for one record, written after the standards and not after the library that encrypts. */
function decrypt(body: Buffer, own: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, 16);
  const keyLength = body.readUInt8(20);
  const senderKey = body.subarray(21, 21 + keyLength);
  const record = body.subarray(21 + keyLength);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), own.getPublicKey(), senderKey]);
  const ikm = hkdfSync("sha256", own.computeSecret(senderKey), auth, info, 32);
  const key = hkdfSync("sha256", Buffer.from(ikm), salt, "Content-Encoding: aes128gcm\0", 16);
  const nonce = hkdfSync("sha256", Buffer.from(ikm), salt, "Content-Encoding: nonce\0", 12);
  const decipher = createDecipheriv("aes-128-gcm", Buffer.from(key), Buffer.from(nonce));
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  // The last record ends with a byte 2 and zeros.
  return padded.subarray(0, padded.lastIndexOf(2)).toString("utf8");
}

/** The claims of `Authorization: vapid t=JWT, k=KEY`. Throws when the key did not sign them. */
function readVapid(authorization: string): ReceivedPush["vapid"] {
  const [, token = "", publicKey = ""] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization) ?? [];
  const [head = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(publicKey, "base64url");
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  const key = createPublicKey({ key: jwk, format: "jwk" });
  const isSigned = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!isSigned) throw new Error("The request is not signed by the store's key");
  const { aud, sub } = JSON.parse(Buffer.from(claims, "base64url").toString());
  return { aud, sub, publicKey };
}
