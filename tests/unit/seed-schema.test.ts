import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { seedFile } from "#shared/schemas/seed.ts";

test("docs contains the JSON Schema that seed files are checked against", async () => {
  const schema = z.toJSONSchema(seedFile, { io: "input" });

  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
    join(import.meta.dirname, "../../docs/seed.schema.json"),
  );
});
