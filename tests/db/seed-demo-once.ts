import { migrate } from "#db/migrate.ts";
import { openDatabase } from "#db/open.ts";
import { type SeedReport, seedDemoOnce } from "#db/seed/seed.ts";

/**
 * What a server does as it starts, as a process of its own: for each database URL in turn, from a given moment on
 * (ms) and 100 ms apart, so that several such processes meet at each. Prints the reports of the seeds as JSON.
 */
const [startAt = "0", ...urls] = process.argv.slice(2);
const reports: (SeedReport | null)[] = [];
for (const [round, url] of urls.entries()) {
  const moment = Number(startAt) + round * 100;
  while (Date.now() < moment);
  const { db, close } = await openDatabase(url);
  await migrate(db);
  reports.push(await seedDemoOnce(db, new Date()));
  await close();
}
console.log(JSON.stringify(reports));
