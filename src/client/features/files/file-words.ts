/** "1 page", "32 pages". */
export function pagesText(pages: number): string {
  return count(pages, "page");
}

/** "1 file", "3 files". */
export function filesText(files: number): string {
  return count(files, "file");
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString("en-IN")} ${noun}${number === 1 ? "" : "s"}`;
}
