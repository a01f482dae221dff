import { createPdfInspector } from "#server/files/pdf/inspector.ts";

/** Looks for colour in the named file and says how much memory that took at most; ends by itself, with the inspector still open. */
const [path = ""] = process.argv.slice(2);
const found = await createPdfInspector().findColours(path, 1, 0);
const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1024);
console.log(JSON.stringify({ found, peakMegabytes }));
