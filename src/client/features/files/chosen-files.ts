import type { PrintFile } from "./print-file.ts";

/** The list of a student's files. */
export interface ChosenFiles {
  /** Id of the user whose files these are. */
  readonly owner: string;
  list(): readonly PrintFile[];
  change(update: (files: readonly PrintFile[]) => PrintFile[]): void;
}

export function patchFile(chosen: ChosenFiles, key: string, patch: Partial<PrintFile>): void {
  chosen.change((files) => files.map((file) => (file.key === key ? { ...file, ...patch } : file)));
}
