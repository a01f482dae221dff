import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SETTINGS, type Setting } from "#server/config.ts";

/** Path of a file in the root folder; `npx vitest run tests/unit/settings.test.ts -u` writes it. */
const inRoot = (name: string) => join(import.meta.dirname, "../..", name);

const TABLE = /^\| setting \| default \| meaning \|\n(\|.*\n)+/m;

test("the settings table in README.md matches config.ts", async () => {
  const readme = readFileSync(inRoot("README.md"), "utf8");
  expect(readme).toMatch(TABLE);
  const rows = SETTINGS.map(
    ({ name, standard, description }) =>
      `| \`${name}\` | ${standard ? code(standard) : ""} | ${description} |\n`,
  );
  const table = `| setting | default | meaning |\n|---|---|---|\n${rows.join("")}`;

  await expect(readme.replace(TABLE, () => table)).toMatchFileSnapshot(inRoot("README.md"));
});

test(".env.example lists every setting, commented out, with the description in config.ts", async () => {
  const parts = [
    "# Copy to .env and uncomment what you need. The environment's settings win over this file. A value with # needs\n# quotes around it: what follows the sign is cut off otherwise.\n",
    ...SETTINGS.map(toExample),
  ];

  await expect(parts.join("\n")).toMatchFileSnapshot(inRoot(".env.example"));
});

function toExample({ name, description, standard, example }: Setting): string {
  const words = `${description}${standard ? ` Default: ${standard}.` : ""}`.replaceAll("`", "").split(" ");
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line && `${line} ${word}`.length <= 118) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`# ${word}`);
  }
  return `${lines.join("\n")}\n#${name}=${example ?? standard ?? ""}\n`;
}

/** A default value as code, one described in words as text. */
function code(standard: string): string {
  return standard.includes(" ") && !standard.includes("<") ? standard : `\`${standard}\``;
}
