import { createPdfInspector } from "#server/files/pdf/inspector.ts";

/** Checks the pages of the named file and prints the peak memory; exits by itself although the inspector is open. */
const [path = ""] = process.argv.slice(2);
const found = await createPdfInspector().checkPages(path, 1, 0);
const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1024);
console.log(JSON.stringify({ found, peakMegabytes }));
