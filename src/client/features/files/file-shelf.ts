import type { PrintFile } from "./print-file.ts";

/** Where a student's chosen files are listed. */
export interface FileShelf {
  /** Id of the user whose files these are. */
  readonly owner: string;
  list(): readonly PrintFile[];
  change(update: (files: readonly PrintFile[]) => PrintFile[]): void;
}

export function patchFile(shelf: FileShelf, key: string, patch: Partial<PrintFile>): void {
  shelf.change((files) => files.map((file) => (file.key === key ? { ...file, ...patch } : file)));
}
