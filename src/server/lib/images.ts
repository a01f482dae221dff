/* These libraries are slow to load and use much memory, so they are imported at their first use and not at the start. */

/** Library that decodes and encodes images. */
export async function loadSharp() {
  return (await import("sharp")).default;
}

/** Library that detects the type of a file by its first bytes. */
export function loadFileType() {
  return import("file-type");
}
