import { createPdfInspector } from "#server/files/pdf/inspector.ts";

/** Checks the named file for colour and prints the peak memory; exits by itself although the inspector is open. */
const [path = ""] = process.argv.slice(2);
const found = await createPdfInspector().findColours(path, 1, 0);
const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1024);
console.log(JSON.stringify({ found, peakMegabytes }));
