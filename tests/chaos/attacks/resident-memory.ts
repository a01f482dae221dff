import { readFile } from "node:fs/promises";

/** Memory that a process has in use, in MB: at this moment, and the most since its start. Linux tells it. */
export async function residentMegabytes(pid: number | undefined): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  return { now: megabytes("VmRSS"), peak: megabytes("VmHWM") };
}
