import { createPdfInspector } from "#server/files/pdf/inspector.ts";

/** Inspects the named file and says how much memory that took at most; ends by itself, with the inspector still open. */
const [path = ""] = process.argv.slice(2);
const inspection = await createPdfInspector().inspect(path);
const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1024);
console.log(JSON.stringify({ inspection, peakMegabytes }));
