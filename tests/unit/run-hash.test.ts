import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hashFiles } from "../../scripts/run/staging.mjs";

async function tree() {
  const root = await mkdtemp(join(tmpdir(), "hash-"));
  onTestFinished(() => rm(root, { recursive: true }));
  await mkdir(join(root, "src/deep"), { recursive: true });
  await writeFile(join(root, "lock.json"), "{}");
  await writeFile(join(root, "src/a.ts"), "one");
  await writeFile(join(root, "src/deep/b.ts"), "two");
  return { root, hash: (...facts: string[]) => hashFiles(root, ["src", "lock.json", "missing"], facts) };
}

test("the hash is stable while the files are unchanged", async () => {
  const { hash } = await tree();

  expect(hash()).toBe(hash());
});

test("the hash changes with content, names, new files and the given facts", async () => {
  const { root, hash } = await tree();
  const seen = [hash(), hash("linux")];
  await writeFile(join(root, "src/deep/b.ts"), "TWO");
  seen.push(hash());
  await rename(join(root, "src/a.ts"), join(root, "src/c.ts"));
  seen.push(hash());
  await writeFile(join(root, "missing"), "");
  seen.push(hash());

  expect(new Set(seen).size).toBe(seen.length);
});

test("the hash ignores generated files", async () => {
  const { root, hash } = await tree();
  const before = hash();
  await writeFile(join(root, "src/tree.gen.ts"), "generated");

  expect(hash()).toBe(before);
});
