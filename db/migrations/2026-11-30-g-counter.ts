import { type Kysely, SqliteAdapter, sql } from "kysely";

/**
 * Staff may also be `counter`; and an address may hold an invitation of each inviter, so that nobody voids another's.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await (db.getExecutor().adapter instanceof SqliteAdapter ? onSqlite(db) : onPostgres(db));
}

async function onPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users drop constraint users_role_check,
    add constraint users_role_check check (role in ('customer', 'counter', 'owner', 'admin'))`.execute(db);
  await sql`alter table staff_invitations drop constraint staff_invitations_role_check,
    add constraint staff_invitations_role_check check (role in ('counter', 'owner', 'admin')),
    drop constraint staff_invitations_email_key,
    add constraint staff_invitations_email_key unique (email, invited_by)`.execute(db);
}

/** SQLite cannot alter a constraint. A new column takes the place of users.role: making the table anew would delete what refers to it. */
async function onSqlite(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column new_role text not null default 'customer'
    check (new_role in ('customer', 'counter', 'owner', 'admin'))`.execute(db);
  await sql`update users set new_role = role`.execute(db);
  await sql`drop index users_role`.execute(db);
  await sql`alter table users drop column role`.execute(db);
  await sql`alter table users rename column new_role to role`.execute(db);
  await sql`create index users_role on users (role)`.execute(db);
  await sql`create table new_invitations (
      id text not null primary key,
      email text not null,
      role text not null check (role in ('counter', 'owner', 'admin')),
      token_hash text not null unique,
      invited_by text not null references users (id) on delete cascade,
      created_at text not null,
      expires_at text not null,
      unique (email, invited_by)
    ) strict`.execute(db);
  await sql`create table new_invitation_shops (
      invitation_id text not null references new_invitations (id) on delete cascade,
      shop_id text not null references shops (id) on delete cascade,
      primary key (invitation_id, shop_id)
    ) strict`.execute(db);
  await sql`insert into new_invitations (id, email, role, token_hash, invited_by, created_at, expires_at)
    select id, email, role, token_hash, invited_by, created_at, expires_at from staff_invitations`.execute(
    db,
  );
  await sql`insert into new_invitation_shops select invitation_id, shop_id from staff_invitation_shops`.execute(
    db,
  );
  await sql`drop table staff_invitation_shops`.execute(db);
  await sql`drop table staff_invitations`.execute(db);
  await sql`alter table new_invitations rename to staff_invitations`.execute(db);
  await sql`alter table new_invitation_shops rename to staff_invitation_shops`.execute(db);
}
