import { type Kysely, SqliteAdapter, sql } from "kysely";

interface AuditRow {
  id: string;
  action: string;
  by_email: string;
  subject_name: string;
  before: string | null;
  after: string | null;
  search_text: string;
}

const PAGE = 1000;

/** The audit log keeps of people's e-mail addresses what tells them apart: its lines outlive their accounts. */
export async function up(db: Kysely<{ audit_log: AuditRow }>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  if (isSqlite) await sql`drop trigger audit_log_no_update`.execute(db);
  else await sql`alter table audit_log disable trigger audit_log_no_change`.execute(db);
  for (let after = ""; ; ) {
    const rows = await db
      .selectFrom("audit_log")
      .select(["id", "action", "by_email", "subject_name", "before", "after", "search_text"])
      .where("id", ">", after)
      .orderBy("id")
      .limit(PAGE)
      .execute();
    for (const { id, ...row } of rows) {
      await db.updateTable("audit_log").set(masked(row)).where("id", "=", id).execute();
    }
    const last = rows.at(-1);
    if (!last) break;
    after = last.id;
  }
  if (isSqlite) {
    await sql`create trigger audit_log_no_update before update on audit_log
      begin select raise(abort, 'the audit log only grows'); end`.execute(db);
  } else await sql`alter table audit_log enable trigger audit_log_no_change`.execute(db);
}

function masked(row: Omit<AuditRow, "id">) {
  const isAboutPeople = row.action.startsWith("staff.") || row.action.startsWith("mail.");
  const of = (text: string) => (isAboutPeople ? mask(text) : text);
  return {
    by_email: mask(row.by_email),
    subject_name: of(row.subject_name),
    before: row.before && of(row.before),
    after: row.after && of(row.after),
    search_text: mask(row.search_text),
  };
}

function mask(text: string): string {
  return text.replace(/([^\s@"]{1,2})[^\s@"]*(@[^\s@"]+)/g, "$1•••$2");
}
