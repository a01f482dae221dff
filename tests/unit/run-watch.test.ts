import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nextChange } from "../../scripts/run/watch.mjs";
import { tempFolder } from "../setup/temporary.ts";

test("a change is seen in a file, also once it was replaced as by git, and in a new folder", async () => {
  const [root, elsewhere] = [await tempFolder(), await tempFolder()];
  const file = join(root, "inner/routes.ts");
  await mkdir(join(root, "inner"));
  await writeFile(file, "one");
  const changes: (() => Promise<void>)[] = [
    () => writeFile(file, "two"),
    async () => {
      await writeFile(join(elsewhere, "three"), "three");
      await rename(join(elsewhere, "three"), file);
    },
    () => writeFile(file, "four"),
    () => mkdir(join(root, "inner/new")),
    () => writeFile(join(root, "inner/new/page.ts"), "five"),
  ];
  for (const change of changes) {
    const seen = nextChange([root]);
    await change();
    await expect(seen).resolves.toBeUndefined();
  }
});
