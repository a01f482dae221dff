/** "1 file", "3 files". */
export function filesText(files: number): string {
  return `${files.toLocaleString("en-IN")} ${files === 1 ? "file" : "files"}`;
}
