import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { expect, test } from "vitest";
import { composeMail } from "#server/mail/rendering.ts";
import { createCaptureTransport } from "#server/mail/transport.ts";
import { mailSaying } from "../factories/mails.ts";
import { tempFolder } from "../setup/temporary.ts";
import { arrived, FROM, openPostOffice, type PostOffice } from "./mail.fixtures.ts";

test("without SMTP every mail is written to a readable .eml file, and stays in the outbox", async () => {
  const office = await openPostOffice();
  const folder = join(await tempFolder(), "mail");
  const content = mailSaying("Your code is 042137, it costs ₹0.00");
  const id = await office.queue({ content, secret: true });
  office.work(createCaptureTransport({ folder, from: FROM }));

  await sent(office, id);

  const names = await readdir(folder);
  expect(names).toEqual([expect.stringMatching(new RegExp(String.raw`^\d{8}T\d{9}Z-${id}\.eml$`))]);
  const path = join(folder, names[0] ?? "");
  const mail = await PostalMime.parse(await readFile(path));
  expect(mail).toMatchObject({
    messageId: `<${id}@print-store.example>`,
    subject: "Total ₹145.00",
    ...arrived(composeMail(content)),
  });
  expect((await stat(path)).mode & 0o077).toBe(0);
  expect((await stat(folder)).mode & 0o077).toBe(0);
  expect(await office.row(id)).toMatchObject({ content: expect.stringContaining("042137") });
});

test("the files sort by the time of their mails", async () => {
  const office = await openPostOffice();
  const folder = await tempFolder();
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) {
    ids.push(await office.queue());
    office.clock.advance({ minutes: 47 });
  }
  office.work(createCaptureTransport({ folder, from: FROM }));
  for (const id of ids) await sent(office, id);

  const names = (await readdir(folder)).toSorted();

  expect(names.map((name) => ids.findIndex((id) => name.includes(id)))).toEqual([0, 1, 2]);
});

test("a failed write is retried, and leaves no partial file", async () => {
  const office = await openPostOffice();
  const folder = join(await tempFolder(), "mail");
  await writeFile(folder, "in the way");
  const id = await office.queue();
  const worker = office.work(createCaptureTransport({ folder, from: FROM }));
  await expect.poll(() => office.row(id)).toMatchObject({ last_error: expect.stringContaining("EEXIST") });

  await rm(folder);
  office.clock.advance({ seconds: 7 });
  worker.runNow();

  await sent(office, id);
  expect(await readdir(folder)).toHaveLength(1);
});

test("a file that cannot take its name is retried, and leaves no partial file", async () => {
  const office = await openPostOffice();
  const folder = await tempFolder();
  const id = await office.queue();
  const name = `${office.clock.now().toISOString().replace(/[-:.]/g, "")}-${id}.eml`;
  await mkdir(join(folder, name, "in the way"), { recursive: true });
  office.work(createCaptureTransport({ folder, from: FROM }));

  await expect.poll(() => office.row(id)).toMatchObject({ last_error: expect.any(String) });
  expect(await readdir(folder)).toEqual([name]);
});

async function sent(office: PostOffice, id: string): Promise<void> {
  await expect.poll(() => office.row(id)).toMatchObject({ sent_at: expect.any(String) });
}
