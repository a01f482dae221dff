import { tmpdir } from "node:os";
import { resolve } from "node:path";
import pino from "pino";
import { createOfficeConverter, type OfficeConverter } from "#server/files/office-converter.ts";
import { DiskSpace } from "#server/http/disk-space.ts";

export const STAND_IN = resolve("tests/factories/stand-in-soffice.sh");

type Settings = Parameters<typeof createOfficeConverter>[0];

/** A converter by the script beside this file, unless other settings are given. */
export async function standInConverter(settings: Partial<Settings> = {}): Promise<OfficeConverter> {
  const converter = await createOfficeConverter({
    soffice: STAND_IN,
    isWanted: true,
    maxBytes: 5_000_000,
    scale: 0,
    space: new DiskSpace(tmpdir(), 0),
    log: pino({ level: "silent" }),
    timeoutMs: 20_000,
    ...settings,
  });
  if (!converter) throw new Error("This machine has too little to guard conversions with");
  return converter;
}
