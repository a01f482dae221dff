import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { placeIn, seedFile } from "#shared/schemas/seed.ts";

test("docs contains the JSON Schema that seed files are checked against", async () => {
  const schema = z.toJSONSchema(seedFile, { io: "input" });

  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
    join(import.meta.dirname, "../../docs/seed.schema.json"),
  );
});

test("the place of an error is told by numbers from one on, and by the names in the file", () => {
  const paperTypes = [{ name: "70 GSM", price: "dear" }, { price: -1 }, { name: "70 gsm", price: 1 }];
  const file = { shops: [{ shopName: "Lamp Post Prints", ratings: 9, paperTypes }, { shopName: "" }] };

  const places = seedFile.safeParse(file).error?.issues.map(({ path }) => placeIn(file, path));

  expect(places).toEqual(
    expect.arrayContaining([
      "shop 1 (Lamp Post Prints), ratings",
      "shop 1 (Lamp Post Prints), paperTypes, option 1 (70 GSM), price",
      "shop 1 (Lamp Post Prints), paperTypes, option 2, name",
      "shop 2, shopName",
      "shop 2, email",
    ]),
  );
  expect(placeIn(file, ["shops", 0, "paperTypes", 2, "name"])).toBe(
    "shop 1 (Lamp Post Prints), paperTypes, option 3, name",
  );
  expect(placeIn({ paperSizes: [{}] }, ["paperSizes", 0, "price"])).toBe("paperSizes, option 1, price");
  expect(placeIn("no file", [])).toBe("");
});
