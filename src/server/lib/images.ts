/*
 * What takes long to load and much memory, and is not needed to open the store: it is loaded when it is used first.
 */

/** Reads and writes pictures. */
export async function loadSharp() {
  return (await import("sharp")).default;
}

/** Tells from its first bytes what a file is. */
export function loadFileType() {
  return import("file-type");
}
