import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { ensureFolder } from "../../scripts/run/staging.mjs";

const STAGING = pathToFileURL(join(import.meta.dirname, "../../scripts/run/staging.mjs")).href;

async function newTree() {
  const root = await mkdtemp(join(tmpdir(), "staging-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return { workshop: join(root, "workshop"), target: join(root, "target") };
}

/** A build of one file. */
function writes(content: string) {
  return async (staged: string) => {
    writeFileSync(join(staged, "content"), content);
    return staged;
  };
}

const contentOf = (target: string) => readFileSync(join(target, "content"), "utf8");

/** A process that ensures `target` for `stamp`; its build writes one file, prints "half", and then runs `rest`. */
function builder(
  { workshop, target }: { workshop: string; target: string },
  stamp: string,
  rest: string,
  supersets: string[] = [],
) {
  const program = `
    import { writeFileSync } from "node:fs";
    import { setTimeout as sleep } from "node:timers/promises";
    import { ensureFolder } from ${JSON.stringify(STAGING)};
    await ensureFolder({
      workshop: ${JSON.stringify(workshop)},
      target: ${JSON.stringify(target)},
      stamp: ${JSON.stringify(stamp)},
      supersets: ${JSON.stringify(supersets)},
      build: async (staged) => {
        writeFileSync(staged + "/first", "1");
        console.log("half");
        ${rest}
        writeFileSync(staged + "/second", "2");
        return staged;
      },
    });`;
  return spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

test("a folder is built once per stamp, and completely rebuilt for another one", async () => {
  const tree = await newTree();

  await ensureFolder({ ...tree, stamp: "a", build: writes("first") });
  await ensureFolder({ ...tree, stamp: "a", build: writes("never") });
  expect(contentOf(tree.target)).toBe("first");
  writeFileSync(join(tree.target, "left over"), "");

  await ensureFolder({ ...tree, stamp: "b", build: writes("second") });
  expect(contentOf(tree.target)).toBe("second");
  expect(readdirSync(tree.target).sort()).toEqual([".stamp", "content"]);
  expect(readdirSync(tree.workshop)).toEqual([]);
});

test("a folder that already holds more is kept, even by a run that started before it did", async () => {
  const tree = await newTree();
  const less = { ...tree, stamp: "less", supersets: ["more"] };
  await ensureFolder({ ...tree, stamp: "old", build: writes("old") });

  await ensureFolder({
    ...less,
    build: async (staged) => {
      await ensureFolder({ ...tree, stamp: "more", build: writes("more") });
      return writes("less")(staged);
    },
  });
  expect(contentOf(tree.target)).toBe("more");

  await ensureFolder({ ...less, build: writes("never") });
  expect(contentOf(tree.target)).toBe("more");
  expect(readdirSync(tree.workshop)).toEqual([]);

  await ensureFolder({
    ...less,
    stamp: "less of the next version",
    supersets: ["more of it"],
    build: writes("next"),
  });
  expect(contentOf(tree.target)).toBe("next");
});

test("a folder that holds less is extended", async () => {
  const tree = await newTree();
  await ensureFolder({ ...tree, stamp: "less", supersets: ["more"], build: writes("less") });

  await ensureFolder({ ...tree, stamp: "more", supersets: ["more"], build: writes("more") });

  expect(contentOf(tree.target)).toBe("more");
});

test("a failed build keeps the old folder and leaves no temporary files", async () => {
  const tree = await newTree();
  await ensureFolder({ ...tree, stamp: "a", build: writes("good") });

  const failing = ensureFolder({
    ...tree,
    stamp: "b",
    build: async (staged) => {
      writeFileSync(join(staged, "content"), "half");
      throw new Error("The network is gone");
    },
  });

  await expect(failing).rejects.toThrow("The network is gone");
  expect(contentOf(tree.target)).toBe("good");
  expect(readdirSync(tree.workshop)).toEqual([]);
});

test("a process killed half-way keeps the old folder, and the next run builds and cleans up", async () => {
  const tree = await newTree();
  await ensureFolder({ ...tree, stamp: "a", build: writes("good") });
  const killed = builder(tree, "b", "await sleep(60_000);");
  await once(killed.stdout, "data");
  killed.kill("SIGKILL");
  await once(killed, "exit");
  expect(contentOf(tree.target)).toBe("good");
  expect(readdirSync(tree.workshop)).toHaveLength(1);

  await ensureFolder({ ...tree, stamp: "b", build: writes("better") });

  expect(contentOf(tree.target)).toBe("better");
  expect(readdirSync(tree.workshop)).toEqual([]);
});

test("a process killed during the swap leaves no folder, and the next run builds it", async () => {
  const tree = await newTree();
  await ensureFolder({ ...tree, stamp: "a", build: writes("good") });
  await rm(tree.target, { recursive: true });

  await ensureFolder({ ...tree, stamp: "a", build: writes("good again") });

  expect(contentOf(tree.target)).toBe("good again");
});

test("a run does not delete what another run is still building", async () => {
  const tree = await newTree();
  const other = builder(tree, "a", "await sleep(400);");
  await once(other.stdout, "data");

  await ensureFolder({ ...tree, stamp: "a", build: writes("ours") });
  const [code] = await once(other, "exit");

  expect(code).toBe(0);
  expect(contentOf(tree.target)).toBe("ours");
  expect(readdirSync(tree.workshop)).toEqual([]);
});

test("of runs that end at the same moment the most complete folder is kept", async () => {
  const tree = await newTree();
  const at = Date.now() + 600;
  const until = `while (Date.now() < ${at}) await sleep(1);`;
  const runs = ["less", "more", "less", "less"].map((stamp) => builder(tree, stamp, until, ["more"]));

  const ends = await Promise.all(runs.map((run) => once(run, "exit")));

  expect(ends.map(([code]) => code)).toEqual([0, 0, 0, 0]);
  expect(readFileSync(join(tree.target, ".stamp"), "utf8")).toBe("more");
});

test("runs that end at the same moment leave one complete folder", async () => {
  const tree = await newTree();
  const at = Date.now() + 600;
  const runs = [1, 2, 3, 4].map((run) =>
    builder(tree, `${run}`, `while (Date.now() < ${at}) await sleep(1);`),
  );

  const ends = await Promise.all(runs.map((run) => once(run, "exit")));

  expect(ends.map(([code]) => code)).toEqual([0, 0, 0, 0]);
  expect(readdirSync(tree.target).sort()).toEqual([".stamp", "first", "second"]);
  expect(existsSync(tree.workshop) && readdirSync(tree.workshop)).toEqual([]);
});
