import { createPdfInspector } from "#server/files/pdf/inspector.ts";

/** Inspects the named file and prints the peak memory; exits by itself although the inspector is open. */
const [path = ""] = process.argv.slice(2);
const inspection = await createPdfInspector().inspect(path);
const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1024);
console.log(JSON.stringify({ inspection, peakMegabytes }));
