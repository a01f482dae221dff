import { type SeedFileText, seedFile } from "#shared/schemas/seed.ts";

export interface SeedFault {
  /** Where in the file, such as `shops.1.paperTypes.0.price`; empty where it is the file as a whole. */
  place: string;
  message: string;
}

/** A file that the store can take, as it was written, or everything that is wrong with it. */
export type ReadSeed = { file: SeedFileText } | { faults: SeedFault[] };

export function readSeedFile(text: string): ReadSeed {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { faults: [{ place: "", message: `This is not JSON: ${(error as Error).message}` }] };
  }
  const parsed = seedFile.safeParse(json);
  if (parsed.success) return { file: json as SeedFileText };
  return {
    faults: parsed.error.issues.map(({ path, message }) => ({ place: path.map(String).join("."), message })),
  };
}
