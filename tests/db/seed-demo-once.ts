import { migrate } from "#db/migrate.ts";
import { openDatabase } from "#db/open.ts";
import { seedDemoOnce } from "#db/seed/seed.ts";

/** What a server does as it starts, as a process of its own: prints the report of the seed as JSON. */
const { db, close } = openDatabase(process.argv[2] ?? "");
await migrate(db);
console.log(JSON.stringify(await seedDemoOnce(db, new Date())));
await close();
