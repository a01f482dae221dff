import { randomBytes, randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { pdfStream, writePdf } from "../../factories/pdf-writer.ts";
import { deepPages } from "../../factories/pdfs.hostile.ts";
import { plainObjects } from "../../factories/pdfs.ts";
import { askEndlessly } from "./endless-searches.ts";
import { OpenStreams } from "./open-streams.ts";
import { type Attack, Remote } from "./target.ts";
import { UnfinishedBodies } from "./unfinished-bodies.ts";

const MB = 1024 * 1024;
/** How long an attacker holds what it has opened. */
const HOLD_MS = 4000;
/** Streams that one session may have open: the promise, and not the code's own constant. */
const SESSION_STREAMS = 12;
/** What one account may hold in files that it has not ordered, as the attacked server is set. */
export const UNORDERED_MB = 200;

/** Attacks that were once seen to work, in the order in which they run. */
export const ATTACKS: readonly Attack[] = [
  {
    name: "bodies that never end",
    async run({ baseUrl, scale }) {
      const connections = Math.round(5000 * scale);
      const login = { connections, path: "/api/v1/users/login", bytes: 8 * 1024 };
      const bodies = await UnfinishedBodies.open(baseUrl, login);
      await sleep(HOLD_MS);
      const got = `${bodies.open} of ${connections} connections stay open`;
      bodies.close();
      return { got, wrong: [] };
    },
  },
  {
    name: "live streams of one session",
    async run({ baseUrl, student, scale }) {
      const { cookieHeader } = (await student("203.0.113.10")).visitor;
      const wanted = Math.round(1500 * scale);
      const streams = new OpenStreams(baseUrl, {
        streams: wanted,
        cookie: cookieHeader,
        procedure: "orders.live",
      });
      await sleep(HOLD_MS);
      const open = streams.begun - streams.ends.length;
      streams.close();
      const wrong = open > SESSION_STREAMS ? [`${open} streams stay open`] : [];
      return { got: `${open} of ${wanted} stay open`, wrong };
    },
  },
  {
    name: "requests that never repeat",
    async run({ baseUrl, scale }) {
      const requests = Math.round(100_000 * scale);
      await askEndlessly(baseUrl, requests);
      return { got: `${requests} answers`, wrong: [] };
    },
  },
  {
    name: "files that nobody orders",
    async run({ student }) {
      const { visitor } = await student("203.0.113.30");
      let stored = 0;
      let refusal = "none";
      while (stored <= UNORDERED_MB && refusal === "none") {
        const { status, body } = await visitor.upload(pdfOfMegabytes(20));
        if (status === 200) stored += 20;
        else refusal = `${status} ${body.code}`;
      }
      const wrong = stored > UNORDERED_MB ? [`${stored} MB are stored`] : [];
      return { got: `${stored} MB stored, then ${refusal}`, wrong };
    },
  },
  {
    name: "PDFs that take long to read",
    async run({ student, scale }) {
      const { visitor } = await student("203.0.113.40");
      const pdf = new Uint8Array(deepPages(900, 5000));
      const uploads = Array.from({ length: Math.max(3, Math.round(20 * scale)) }, () => visitor.upload(pdf));
      return { got: tally((await Promise.all(uploads)).map(({ status }) => status)), wrong: [] };
    },
  },
  {
    name: "guesses at a password",
    async run({ baseUrl, victim, scale }) {
      const statuses: number[] = [];
      for (let guess = 0; guess < Math.max(45, 400 * scale); guess++) {
        const visitor = new Remote(baseUrl, `203.0.113.${50 + (guess % 4)}`);
        const login = { email: victim, password: `guess ${guess}` };
        statuses.push((await visitor.post("/api/v1/users/login", login)).status);
      }
      return { got: tally(statuses), wrong: statuses.includes(200) ? ["a guess opened the account"] : [] };
    },
  },
  {
    name: "guesses at a code",
    async run({ baseUrl, student, scale }) {
      // A victim of its own: the code would otherwise be replaced under the hands of who goes on meanwhile.
      const { email } = await student("203.0.113.60");
      const visitor = new Remote(baseUrl, "203.0.113.61");
      const statuses: number[] = [];
      for (let round = 0; round < Math.max(2, 10 * scale); round++) {
        await visitor.post("/api/v1/users/generate-otp-for-login", { email });
        for (let tried = 0; tried < 6; tried++) {
          const verifyCode = String(randomInt(1_000_000)).padStart(6, "0");
          statuses.push((await visitor.post("/api/v1/users/login-with-otp", { verifyCode, email })).status);
        }
      }
      return { got: tally(statuses), wrong: statuses.includes(200) ? ["a guess opened the account"] : [] };
    },
  },
];

/** A PDF of one page that no other is like. */
function pdfOfMegabytes(megabytes: number): Uint8Array<ArrayBuffer> {
  const filling = pdfStream(Buffer.alloc(megabytes * MB, randomBytes(1000)));
  return new Uint8Array(writePdf({ ...plainObjects(1), 4: filling }));
}

/** Such as "5 × 401, 40 × 429". */
function tally(statuses: number[]): string {
  const counts = Map.groupBy(statuses, (status) => status);
  return [...counts].map(([status, all]) => `${all.length} × ${status}`).join(", ");
}
