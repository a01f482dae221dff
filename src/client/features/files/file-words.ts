import { counted } from "#shared/counted.ts";

/** "1 file", "3 files". */
export function filesText(files: number): string {
  return counted(files, "file");
}
