/** Text as searching compares it: without case, width and needless spaces. Stored beside what can be searched for. */
export function foldText(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
}
