import { tempDatabaseUrl } from "../setup/temporary.ts";

/** Servers that share their files may share any database. */
const TOKEN = Buffer.from(JSON.stringify({ apiKey: "sk_live_1", appId: "a1", regions: ["bom1"] })).toString(
  "base64",
);

/** The settings of servers that share a new database without shops. */
export async function sharedSettings(): Promise<Record<string, string>> {
  return {
    DATABASE_URL: await tempDatabaseUrl(),
    SECRET: "one secret for all servers of a store",
    UPLOADTHING_TOKEN: TOKEN,
    RATE_LIMIT_SCALE: "1",
    SEED_DEMO: "false",
  };
}
