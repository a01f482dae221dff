import { Agent, get } from "node:http";

/** Concurrent requests. */
const AT_ONCE = 16;

/** Requests many lists of shops, each with a new URL. */
export async function askEndlessly(url: string, requests: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  let next = 0;
  async function askOn(): Promise<void> {
    while (next < requests) await ask(agent, `${url}${addressOf(next++)}`);
  }
  await Promise.all(Array.from({ length: AT_ONCE }, askOn));
  agent.destroy();
}

/** Half are searches; the others request the same list each time under a new URL. */
function addressOf(index: number): string {
  const junk = `no-shop-has-this-name-${index}`;
  const query = index % 2 === 0 ? `search=${junk}` : `limit=1&junk=${junk}-${"x".repeat(200)}`;
  return `/api/v1/prints/shopslocation?${query}`;
}

function ask(agent: Agent, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(address, { agent }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${address} answered ${answer.statusCode}`));
      answer.resume().once("end", resolve).once("error", reject);
    }).once("error", reject);
  });
}
