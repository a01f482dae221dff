import Bowser from "bowser";

/** Longer ones say nothing more, and only keep the parser busy. */
const MAX_READ = 300;

/** Browser and system as people know them, such as "Chrome on Android"; empty for what is no known browser. */
export function deviceName(userAgent: string): string {
  if (!userAgent) return "";
  const { browser, os, platform } = Bowser.parse(userAgent.slice(0, MAX_READ));
  const system = platform.model || os.name;
  if (!browser.name) return system ?? "";
  return system ? `${browser.name} on ${system}` : browser.name;
}
