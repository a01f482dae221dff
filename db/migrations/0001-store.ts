import { type ColumnBuilderCallback, type CreateTableBuilder, type Kysely, SqliteAdapter, sql } from "kysely";

/**
 * The first schema. What each column means is in `db/schema.ts`. PostgreSQL gets the same tables: its dialect makes
 * `integer` 64 bits wide and has `text` compared byte by byte.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createAccounts(db);
  await createShops(db);
  await createStaff(db);
  await createOrders(db);
  await createPayments(db);
  await createInvoices(db);
  await createFiles(db);
  await createReprints(db);
  await createBoard(db);
  await createStats(db);
  await createMail(db);
  await createPush(db);
  await createStore(db);
}

const key: ColumnBuilderCallback = (c) => c.notNull().primaryKey();
const required: ColumnBuilderCallback = (c) => c.notNull();
const unique: ColumnBuilderCallback = (c) => c.notNull().unique();

/** Refers to a row that stays as long as this one. */
function refersTo(column: string): ColumnBuilderCallback {
  return (c) => c.notNull().references(column);
}

/** Refers to a row with which this one goes. */
function belongsTo(column: string): ColumnBuilderCallback {
  return (c) => c.notNull().references(column).onDelete("cascade");
}

function optional(column: string): ColumnBuilderCallback {
  return (c) => c.references(column);
}

function checked(check: string): ColumnBuilderCallback {
  return (c) => c.notNull().check(sql.raw(check));
}

function preset(value: string | number, check?: string): ColumnBuilderCallback {
  return (c) => {
    const column = c.notNull().defaultTo(value);
    return check ? column.check(sql.raw(check)) : column;
  };
}

/** Sign-up, login, sessions, second factors, addresses. */
async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await create(db, "users", (table) =>
    table
      .addColumn("id", "text", key)
      .addColumn("email", "text", unique)
      .addColumn("phone", "text", (c) => c.unique())
      .addColumn("full_name", "text", required)
      .addColumn("password_hash", "text", required)
      .addColumn("role", "text", checked("role in ('visitor', 'customer', 'counter', 'owner', 'admin')"))
      .addColumn("verified_at", "text")
      .addColumn("terms_accepted_at", "text")
      .addColumn("created_at", "text", required)
      .addColumn("deleted_at", "text"),
  );
  await create(db, "sessions", (table) =>
    table
      .addColumn("id", "text", key)
      .addColumn("public_id", "text", preset(""))
      .addColumn("user_id", "text", belongsTo("users.id"))
      .addColumn("device", "text", preset(""))
      .addColumn("expires_at", "text", required)
      .addColumn("created_at", "text", required)
      .addColumn("last_seen_at", "text", preset(""))
      .addColumn("confirmed_at", "text")
      .addColumn("shared", "integer", preset(0, "shared in (0, 1)")),
  );
  await create(db, "visits", (table) =>
    table
      .addColumn("id", "text", key)
      .addColumn("user_id", "text", (c) => c.notNull().unique().references("users.id").onDelete("cascade"))
      .addColumn("shop_id", "text", required)
      .addColumn("code", "text", required)
      .addColumn("address_hash", "text", required)
      .addColumn("opened_at", "text", required)
      .addColumn("expires_at", "text", required)
      .addColumn("ended_at", "text"),
  );
  await create(db, "one_time_codes", (table) =>
    table
      .addColumn("user_id", "text", belongsTo("users.id"))
      .addColumn("purpose", "text", checked("purpose in ('verify', 'login', 'phone', 'email')"))
      .addColumn("code_hash", "text", required)
      .addColumn("tries_left", "integer", checked("tries_left >= 0"))
      .addColumn("device_tries_left", "integer", preset(5, "device_tries_left >= 0"))
      .addColumn("expires_at", "text", required)
      .addColumn("new_contact", "text")
      .addPrimaryKeyConstraint("one_time_codes_owner", ["user_id", "purpose"]),
  );
  await create(db, "password_resets", (table) =>
    table
      .addColumn("token_hash", "text", key)
      .addColumn("user_id", "text", belongsTo("users.id"))
      .addColumn("expires_at", "text", required),
  );
  await create(db, "totp_secrets", (table) =>
    table
      .addColumn("user_id", "text", (c) =>
        c.notNull().primaryKey().references("users.id").onDelete("cascade"),
      )
      .addColumn("secret", "text", required)
      .addColumn("last_step", "integer", required)
      .addColumn("created_at", "text", required),
  );
  await create(db, "passkeys", (table) =>
    table
      .addColumn("id", "text", key)
      .addColumn("user_id", "text", belongsTo("users.id"))
      .addColumn("name", "text", required)
      .addColumn("public_key", "text", required)
      .addColumn("counter", "text", required)
      .addColumn("transports", "text", required)
      .addColumn("created_at", "text", required)
      .addColumn("last_used_at", "text"),
  );
  await create(db, "passkey_challenges", (table) =>
    table
      .addColumn("id", "text", key)
      .addColumn("user_id", "text", (c) => c.references("users.id").onDelete("cascade"))
      .addColumn("expires_at", "text", required),
  );
  await create(db, "recovery_codes", (table) =>
    table
      .addColumn("user_id", "text", belongsTo("users.id"))
      .addColumn("code_hash", "text", required)
      .addPrimaryKeyConstraint("recovery_codes_key", ["user_id", "code_hash"]),
  );
  await create(db, "pending_logins", (table) =>
    table
      .addColumn("id", "text", key)
      .addColumn("user_id", "text", belongsTo("users.id"))
      .addColumn("expires_at", "text", required)
      .addColumn("shared", "integer", preset(0, "shared in (0, 1)")),
  );
  await create(db, "addresses", (table) =>
    table
      .addColumn("id", "text", key)
      .addColumn("user_id", "text", belongsTo("users.id"))
      .addColumn("fullname", "text", required)
      .addColumn("flatno", "text", required)
      .addColumn("road_no", "text", required)
      .addColumn("country", "text", required)
      .addColumn("is_default", "integer", checked("is_default in (0, 1)"))
      .addColumn("created_at", "text", required),
  );
  await run(db, [
    "create index users_role on users (role)",
    "create index users_unverified on users (created_at) where verified_at is null",
    "create unique index sessions_public_id on sessions (public_id)",
    "create index sessions_user on sessions (user_id)",
    "create index sessions_expiry on sessions (expires_at)",
    "create index sessions_shared on sessions (last_seen_at) where shared = 1",
    "create index visits_expiry on visits (expires_at)",
    "create index visits_ended on visits (user_id) where ended_at is not null",
    "create index visits_shop on visits (shop_id)",
    "create index visits_address on visits (address_hash)",
    "create index one_time_codes_expires on one_time_codes (expires_at)",
    "create index password_resets_user on password_resets (user_id)",
    "create index password_resets_expires on password_resets (expires_at)",
    "create index passkeys_user on passkeys (user_id)",
    "create index passkey_challenges_user on passkey_challenges (user_id)",
    "create index passkey_challenges_expires on passkey_challenges (expires_at)",
    "create index pending_logins_user on pending_logins (user_id)",
    "create index pending_logins_expires on pending_logins (expires_at)",
    "create index addresses_user on addresses (user_id, created_at)",
    "create unique index addresses_default on addresses (user_id) where is_default = 1",
  ]);
}

/** Shops, their names, photos, price lists and payment addresses. */
async function createShops(db: Kysely<unknown>): Promise<void> {
  await create(db, "shops", (table) =>
    table
      .addColumn("id", "text", key)
      .addColumn("name", "text", required)
      .addColumn("location", "text", required)
      .addColumn("college", "text", required)
      .addColumn("image", "text", required)
      .addColumn("rating_tenths", "integer", checked("rating_tenths between 0 and 50"))
      .addColumn("rating_count", "integer", preset(0))
      .addColumn("star_sum", "integer", preset(0))
      .addColumn("per_page_paise", "integer", checked("per_page_paise >= 0"))
      .addColumn("email", "text", required)
      .addColumn("order_email", "text", preset(""))
      .addColumn("contact_number", "text", required)
      .addColumn("upi_id", "text", preset(""))
      .addColumn("offers_pickup", "integer", preset(0, "offers_pickup in (0, 1)"))
      .addColumn("opening_hours", "text", preset(""))
      .addColumn("separates_files", "integer", preset(0, "separates_files in (0, 1)"))
      .addColumn("counter_on", "integer", preset(1, "counter_on in (0, 1)"))
      .addColumn("counter_version", "integer", preset(1))
      .addColumn("is_open", "integer", preset(1, "is_open in (0, 1)"))
      .addColumn("closed_note", "text", preset(""))
      .addColumn("hidden", "integer", preset(0, "hidden in (0, 1)"))
      .addColumn("version", "integer", preset(1))
      .addColumn("saved_by", "text")
      .addColumn("saved_at", "text")
      .addColumn("created_at", "text", required),
  );
  await create(db, "shop_names", (table) =>
    table
      .addColumn("name_key", "text", required)
      .addColumn("location_key", "text", required)
      .addColumn("shop_id", "text", belongsTo("shops.id"))
      .addColumn("released_at", "text")
      .addPrimaryKeyConstraint("shop_names_key", ["name_key", "location_key"]),
  );
  await create(db, "shop_photos", (table) =>
    table
      .addColumn("storage_key", "text", key)
      .addColumn("image", "text", required)
      .addColumn("kept_at", "text", required)
      .addColumn("deleted_at", "text"),
  );
  await create(db, "shop_schedules", (table) =>
    table
      .addColumn("shop_id", "text", (c) =>
        c.notNull().primaryKey().references("shops.id").onDelete("cascade"),
      )
      .addColumn("holidays", "text", required)
      .addColumn("closed_until", "text")
      .addColumn("pages_per_minute", "integer", checked("pages_per_minute > 0"))
      .addColumn("handling_minutes", "integer", checked("handling_minutes >= 0")),
  );
  await create(db, "price_lists", (table) =>
    table
      .addColumn("shop_id", "text", (c) =>
        c.notNull().primaryKey().references("shops.id").onDelete("cascade"),
      )
      .addColumn("version", "integer", required)
      .addColumn("saved_by", "text", required)
      .addColumn("saved_at", "text", required),
  );
  await create(db, "shop_options", (table) =>
    table
      .addColumn("id", "text", key)
      .addColumn("shop_id", "text", belongsTo("shops.id"))
      .addColumn("kind", "text", required)
      .addColumn("name", "text", required)
      .addColumn("price_paise", "integer", checked("price_paise >= 0"))
      .addColumn("basis", "text", checked("basis in ('page', 'sheet', 'copy', 'order')"))
      .addColumn("sides", "integer", checked("sides in (1, 2)"))
      .addColumn("in_colour", "integer", preset(0, "in_colour in (0, 1)"))
      .addColumn("position", "integer", required)
      .addColumn("active", "integer", checked("active in (0, 1)"))
      .addColumn("out_since", "text")
      .addUniqueConstraint("shop_options_name", ["shop_id", "kind", "name"]),
  );
  await create(db, "payment_address_changes", (table) =>
    table
      .addColumn("id", "text", key)
      .addColumn("shop_id", "text", belongsTo("shops.id"))
      .addColumn("new_upi_id", "text", required)
      .addColumn("standing_upi_id", "text", required)
      .addColumn("changed_by", "text", belongsTo("users.id"))
      .addColumn("changed_at", "text", required)
      .addColumn("token_hash", "text", unique)
      .addColumn("undone_by", "text"),
  );
  await run(db, [
    "create index shops_name on shops (name)",
    "create index shop_options_out on shop_options (shop_id) where out_since is not null",
    "create index shop_names_shop on shop_names (shop_id)",
    "create index shop_photos_image on shop_photos (image)",
    "create index payment_address_changes_shop on payment_address_changes (shop_id, changed_at)",
    "create index payment_address_changes_person on payment_address_changes (changed_by)",
  ]);
  await createCatalogueVersion(db);
}

/** The columns of a shop that guests see, or by which they see it. */
const SHOWN_COLUMNS = [
  "id",
  "name",
  "location",
  "college",
  "image",
  "rating_tenths",
  "rating_count",
  "star_sum",
  "per_page_paise",
  "email",
  "contact_number",
  "upi_id",
  "offers_pickup",
  "opening_hours",
  "is_open",
  "closed_note",
  "hidden",
];

/** A number that triggers raise with every change of what guests see of a shop, of a price list, or of when a shop works. */
async function createCatalogueVersion(db: Kysely<unknown>): Promise<void> {
  await create(db, "catalogue", (table) =>
    table
      .addColumn("id", "integer", (c) => c.notNull().primaryKey().check(sql`id = 1`))
      .addColumn("version", "integer", required),
  );
  await run(db, ["insert into catalogue (id, version) values (1, 1)"]);
  const raise = "update catalogue set version = version + 1";
  const updates = {
    shops: `update of ${SHOWN_COLUMNS.join(", ")}`,
    shop_options: "update",
    shop_schedules: "update",
  };
  if (isSqlite(db)) {
    for (const [table, update] of Object.entries(updates))
      for (const change of ["insert", "update", "delete"])
        await run(db, [
          `create trigger ${table}_${change}_raises_catalogue
            after ${change === "update" ? update : change} on ${table} begin ${raise}; end`,
        ]);
    return;
  }
  await run(db, [
    `create function raise_catalogue() returns trigger language plpgsql as
      $$ begin ${raise}; return null; end $$`,
  ]);
  for (const [table, update] of Object.entries(updates))
    await run(db, [
      `create trigger ${table}_raises_catalogue after insert or ${update} or delete on ${table}
        for each statement execute function raise_catalogue()`,
    ]);
}

/** Who works at which shop, who did until lately, and who is invited. */
async function createStaff(db: Kysely<unknown>): Promise<void> {
  await create(db, "shop_staff", (table) =>
    table
      .addColumn("user_id", "text", belongsTo("users.id"))
      .addColumn("shop_id", "text", belongsTo("shops.id"))
      .addColumn("created_at", "text", required)
      .addPrimaryKeyConstraint("shop_staff_key", ["user_id", "shop_id"]),
  );
  await create(db, "former_staff", (table) =>
    table
      .addColumn("id", "text", key)
      .addColumn("user_id", "text", belongsTo("users.id"))
      .addColumn("shop_id", "text", (c) => c.references("shops.id").onDelete("cascade"))
      .addColumn("left_at", "text", required),
  );
  await create(db, "staff_invitations", (table) =>
    table
      .addColumn("id", "text", key)
      .addColumn("email", "text", required)
      .addColumn("role", "text", checked("role in ('counter', 'owner', 'admin')"))
      .addColumn("token_hash", "text", unique)
      .addColumn("invited_by", "text", belongsTo("users.id"))
      .addColumn("created_at", "text", required)
      .addColumn("expires_at", "text", required)
      .addUniqueConstraint("staff_invitations_email_key", ["email", "invited_by"]),
  );
  await create(db, "staff_invitation_shops", (table) =>
    table
      .addColumn("invitation_id", "text", belongsTo("staff_invitations.id"))
      .addColumn("shop_id", "text", belongsTo("shops.id"))
      .addPrimaryKeyConstraint("staff_invitation_shops_key", ["invitation_id", "shop_id"]),
  );
  await run(db, [
    "create index shop_staff_shop on shop_staff (shop_id)",
    "create index former_staff_shop on former_staff (shop_id, left_at)",
    "create index former_staff_time on former_staff (left_at)",
    "create index former_staff_user on former_staff (user_id)",
  ]);
}

async function createOrders(db: Kysely<unknown>): Promise<void> {
  await create(db, "orders", (table) =>
    table
      .addColumn("id", "text", key)
      .addColumn("number", "text", unique)
      .addColumn("user_id", "text", refersTo("users.id"))
      .addColumn("shop_id", "text", refersTo("shops.id"))
      .addColumn("state", "text", required)
      .addColumn("shop_name", "text", required)
      .addColumn("shop_location", "text", required)
      .addColumn("shop_email", "text", required)
      .addColumn("shop_contact_number", "text", required)
      .addColumn("pages", "integer", checked("pages > 0"))
      .addColumn("copies", "integer", checked("copies > 0"))
      .addColumn("sides", "integer", checked("sides in (1, 2)"))
      .addColumn("sheets", "integer", required)
      .addColumn("jobs", "text")
      .addColumn("message", "text", required)
      .addColumn("user_email", "text", required)
      .addColumn("address", "text")
      .addColumn("sub_total_paise", "integer", required)
      .addColumn("tax_paise", "integer", required)
      .addColumn("delivery_fee_paise", "integer", required)
      .addColumn("total_paise", "integer", required)
      .addColumn("idempotency_key", "text")
      .addColumn("request_hash", "text", required)
      .addColumn("created_at", "text", required)
      .addColumn("fulfilment", "text", preset("delivery", "fulfilment in ('delivery', 'pickup', 'counter')"))
      .addColumn("pickup_code", "text")
      .addColumn("pickup_tries_left", "integer", preset(0, "pickup_tries_left >= 0"))
      .addColumn("paid_paise", "integer", preset(0, "paid_paise >= 0"))
      .addColumn("refunded_paise", "integer", preset(0, "refunded_paise >= 0"))
      .addColumn("credited_paise", "integer", preset(0, "credited_paise >= 0"))
      .addColumn("paid_at", "text")
      .addColumn("reprint_of", "text", optional("orders.id"))
      .addColumn("search_text", "text", preset(""))
      .addColumn("stars", "integer", (c) => c.check(sql`stars between 1 and 5`))
      .addColumn("files_delete_at", "text")
      .addColumn("held_at", "text")
      .addColumn("promised_at", "text")
      .addUniqueConstraint("orders_idempotency", ["user_id", "idempotency_key"]),
  );
  await create(db, "order_lines", (table) =>
    table
      .addColumn("order_id", "text", belongsTo("orders.id"))
      .addColumn("job", "integer", checked("job >= 0"))
      .addColumn("kind", "text", required)
      .addColumn("option_id", "text", required)
      .addColumn("name", "text", required)
      .addColumn("unit_paise", "integer", required)
      .addColumn("basis", "text", required)
      .addColumn("quantity", "integer", required)
      .addColumn("amount_paise", "integer", required)
      .addPrimaryKeyConstraint("order_lines_key", ["order_id", "job", "kind"]),
  );
  await create(db, "order_events", (table) =>
    table
      .addColumn("id", "text", key)
      .addColumn("order_id", "text", belongsTo("orders.id"))
      .addColumn("state", "text", required)
      .addColumn("by_user_id", "text", optional("users.id"))
      .addColumn("reason", "text")
      .addColumn("created_at", "text", required),
  );
  await create(db, "order_holds", (table) =>
    table
      .addColumn("id", "text", key)
      .addColumn("order_id", "text", belongsTo("orders.id"))
      .addColumn("reason", "text", required)
      .addColumn("by_user_id", "text", refersTo("users.id"))
      .addColumn("created_at", "text", required)
      .addColumn("answer", "text", preset(""))
      .addColumn("answered_at", "text")
      .addColumn("resolved_at", "text")
      .addColumn("how", "text", (c) =>
        c.check(sql`how in ('released', 'changed', 'cancelled', 'asked again')`),
      ),
  );
  await create(db, "order_notes", (table) =>
    table
      .addColumn("id", "text", key)
      .addColumn("order_id", "text", belongsTo("orders.id"))
      .addColumn("by_user_id", "text", refersTo("users.id"))
      .addColumn("body", "text", required)
      .addColumn("created_at", "text", required),
  );
  const isOpen = "state not in ('delivered', 'cancelled')";
  await run(db, [
    // A search by age or shop reads `search_text` from the index alone.
    "create index orders_age on orders (created_at, id, search_text)",
    "create index orders_shop on orders (shop_id, created_at, search_text)",
    "create index orders_user on orders (user_id, created_at, id, shop_id, state)",
    "create index orders_number_end on orders (substr(number, 6))",
    // Few orders are open at a time, so the indexes of the board stay small however many are done.
    `create index orders_open on orders (created_at, id, state, search_text) where ${isOpen}`,
    `create index orders_open_shop on orders (shop_id, created_at, id, state) where ${isOpen}`,
    `create index orders_open_state on orders (state, created_at, id, shop_id) where ${isOpen}`,
    `create index orders_counter on orders (created_at, id, state, shop_id) where fulfilment = 'counter' and ${isOpen}`,
    `create index orders_counter_shop on orders (shop_id, created_at, id, state) where fulfilment = 'counter' and ${isOpen}`,
    "create index orders_delivered on orders (created_at, id, search_text) where state = 'delivered'",
    "create index orders_cancelled on orders (created_at, id, search_text) where state = 'cancelled'",
    "create index orders_cancelled_shop on orders (shop_id, created_at, id, search_text) where state = 'cancelled'",
    "create index orders_reprint_of on orders (reprint_of)",
    // The condition that the book's query has, literally.
    "create index orders_refund_due on orders (created_at, id, shop_id) where ((state = 'cancelled' and paid_paise > 0) or paid_paise > total_paise)",
    "create index orders_files_delete on orders (files_delete_at) where files_delete_at is not null",
    "create index order_events_order on order_events (order_id)",
    "create index order_events_by_user_id on order_events (by_user_id) where by_user_id is not null",
    "create index order_holds_order on order_holds (order_id)",
    "create unique index order_holds_open on order_holds (order_id) where resolved_at is null",
    "create index order_holds_by_user_id on order_holds (by_user_id)",
    "create index order_notes_order on order_notes (order_id)",
    "create index order_notes_by_user_id on order_notes (by_user_id) where by_user_id is not null",
  ]);
}

/** The book: what was paid and given back, and the days of each shop's book. */
async function createPayments(db: Kysely<unknown>): Promise<void> {
  await create(db, "book_days", (table) =>
    table
      .addColumn("shop_id", "text", belongsTo("shops.id"))
      .addColumn("day", "text", required)
      .addColumn("closed_at", "text")
      .addColumn("closed_by", "text", optional("users.id"))
      .addColumn("counted_cash_paise", "integer")
      .addColumn("note", "text", preset(""))
      .addColumn("figures", "text")
      .addPrimaryKeyConstraint("book_days_key", ["shop_id", "day"]),
  );
  await create(db, "payments", (table) =>
    table
      .addColumn("id", "text", key)
      .addColumn("order_id", "text", refersTo("orders.id"))
      .addColumn("shop_id", "text", refersTo("shops.id"))
      .addColumn("day", "text", required)
      .addColumn("kind", "text", checked("kind in ('payment', 'refund', 'reversal')"))
      .addColumn("method", "text", checked("method in ('cash', 'upi')"))
      .addColumn("amount_paise", "integer", checked("amount_paise <> 0"))
      .addColumn("credited_paise", "integer", required)
      .addColumn("reverses", "text", (c) => c.unique().references("payments.id"))
      .addColumn("reason", "text", required)
      .addColumn("by_user_id", "text", refersTo("users.id"))
      .addColumn("approved_by", "text", optional("users.id"))
      .addColumn("client_key", "text", required)
      .addColumn("created_at", "text", required)
      .addUniqueConstraint("payments_client_key", ["order_id", "client_key"])
      .addCheckConstraint("payments_sign", sql`kind = 'reversal' or (kind = 'payment') = (amount_paise > 0)`)
      .addCheckConstraint("payments_reverses", sql`(kind = 'reversal') = (reverses is not null)`),
  );
  await run(db, [
    "create index payments_day on payments (shop_id, day, id)",
    "create index payments_all_days on payments (day, id)",
    "create index payments_by_user_id on payments (by_user_id)",
    "create index payments_approved_by on payments (approved_by) where approved_by is not null",
    "create index book_days_open on book_days (shop_id, day) where closed_at is null",
    "create index book_days_closed_by on book_days (closed_by) where closed_by is not null",
  ]);
  await onlyGrows(db, "payments", "payments are only added");
}

/** Tax invoices with their credit and debit notes, and what a shop needs to issue them. */
async function createInvoices(db: Kysely<unknown>): Promise<void> {
  await create(db, "shop_taxes", (table) =>
    table
      .addColumn("shop_id", "text", (c) =>
        c.notNull().primaryKey().references("shops.id").onDelete("cascade"),
      )
      .addColumn("gstin", "text", required)
      .addColumn("legal_name", "text", required)
      .addColumn("address", "text", required)
      .addColumn("rate_percent", "integer", checked("rate_percent between 0 and 100"))
      .addColumn("sac", "text", required)
      .addColumn("series", "text", required),
  );
  await create(db, "invoices", (table) =>
    table
      .addColumn("id", "text", key)
      .addColumn("order_id", "text", refersTo("orders.id"))
      .addColumn("shop_id", "text", refersTo("shops.id"))
      .addColumn("kind", "text", checked("kind in ('invoice', 'credit', 'debit')"))
      .addColumn("gstin", "text", required)
      .addColumn("series", "text", required)
      .addColumn("year", "integer", required)
      .addColumn("seq", "integer", checked("seq > 0"))
      .addColumn("legal_name", "text", required)
      .addColumn("address", "text", required)
      .addColumn("rate_percent", "integer", required)
      .addColumn("sac", "text", required)
      .addColumn("place", "text", required)
      .addColumn("total_paise", "integer", checked("total_paise <> 0"))
      .addColumn("taxable_paise", "integer", required)
      .addColumn("cgst_paise", "integer", required)
      .addColumn("sgst_paise", "integer", required)
      .addColumn("igst_paise", "integer", required)
      .addColumn("reason", "text", required)
      .addColumn("issued_at", "text", required)
      .addUniqueConstraint("invoices_number", ["gstin", "series", "kind", "year", "seq"])
      .addCheckConstraint("invoices_sign", sql`(kind = 'credit') = (total_paise < 0)`)
      .addCheckConstraint(
        "invoices_sum",
        sql`total_paise = taxable_paise + cgst_paise + sgst_paise + igst_paise`,
      ),
  );
  await run(db, [
    "create unique index shop_taxes_series on shop_taxes (gstin, series) where gstin <> ''",
    "create unique index invoices_once on invoices (order_id) where kind = 'invoice'",
    "create index invoices_order on invoices (order_id)",
    "create index invoices_shop on invoices (shop_id, issued_at, id)",
    "create index invoices_time on invoices (issued_at, id)",
  ]);
  await onlyGrows(db, "invoices", "invoices are only added");
}

/** Uploads, which of them an order prints, and what servers do with them at the moment. */
async function createFiles(db: Kysely<unknown>): Promise<void> {
  await create(db, "files", (table) =>
    table
      .addColumn("id", "text", key)
      .addColumn("owner_id", "text", refersTo("users.id"))
      .addColumn("original_filename", "text", required)
      .addColumn("bytes", "integer", required)
      .addColumn("pages", "integer", checked("pages > 0"))
      .addColumn("page_sizes", "text", required)
      .addColumn("sha256", "text", required)
      .addColumn("converted_from", "text")
      .addColumn("approved_at", "text")
      .addColumn("colour_pages", "text")
      .addColumn("colour_checked_pages", "integer")
      .addColumn("blank_pages", "text")
      .addColumn("edge_pages", "text")
      .addColumn("order_id", "text", optional("orders.id"))
      .addColumn("created_at", "text", required)
      .addColumn("deleted_at", "text")
      .addColumn("deleted_by", "text", optional("users.id"))
      .addColumn("erased_at", "text")
      .addColumn("erase_failed_at", "text")
      .addColumn("leased_until", "text"),
  );
  await create(db, "order_files", (table) =>
    table
      .addColumn("order_id", "text", belongsTo("orders.id"))
      .addColumn("position", "integer", required)
      .addColumn("file_id", "text", refersTo("files.id"))
      .addColumn("page_ranges", "text")
      .addPrimaryKeyConstraint("order_files_key", ["order_id", "position"]),
  );
  await create(db, "pending_files", (table) =>
    table.addColumn("storage_key", "text", key).addColumn("seen_at", "text", required),
  );
  await create(db, "upload_reservations", (table) =>
    table
      .addColumn("id", "text", key)
      .addColumn("owner_id", "text", belongsTo("users.id"))
      .addColumn("bytes", "integer", required)
      .addColumn("expires_at", "text", required),
  );
  const isUnordered = "order_id is null and deleted_at is null";
  const isUnchecked = "colour_checked_pages is null and deleted_at is null";
  await run(db, [
    "create index files_owner on files (owner_id)",
    "create index files_order on files (order_id) where order_id is not null",
    "create index order_files_file on order_files (file_id)",
    "create index files_deleted_by on files (deleted_by) where deleted_by is not null",
    "create index files_kept on files (created_at) where erased_at is null",
    "create index files_held on files (owner_id, order_id, bytes) where erased_at is null",
    `create index files_unordered on files (created_at) where ${isUnordered}`,
    `create index files_unordered_bytes on files (bytes) where ${isUnordered}`,
    `create index files_colour_unchecked on files (created_at) where ${isUnchecked}`,
    "create index files_to_erase on files (deleted_at) where deleted_at is not null and erased_at is null",
    "create index files_forgettable on files (created_at) where order_id is null and erased_at is not null",
    "create index pending_files_seen on pending_files (seen_at)",
    "create index upload_reservations_owner on upload_reservations (owner_id)",
  ]);
}

/** Reports of printing errors and the photos in them. */
async function createReprints(db: Kysely<unknown>): Promise<void> {
  await create(db, "reprints", (table) =>
    table
      .addColumn("id", "text", key)
      .addColumn("order_id", "text", (c) => c.notNull().unique().references("orders.id").onDelete("cascade"))
      .addColumn("state", "text", checked("state in ('reported', 'accepted', 'declined', 'ordered')"))
      .addColumn("reason", "text", required)
      .addColumn("created_at", "text", required)
      .addColumn("answer", "text", required)
      .addColumn("answered_at", "text")
      .addColumn("answered_by", "text", optional("users.id")),
  );
  await create(db, "reprint_photos", (table) =>
    table
      .addColumn("id", "text", key)
      .addColumn("owner_id", "text", refersTo("users.id"))
      .addColumn("reprint_id", "text", (c) => c.references("reprints.id").onDelete("cascade"))
      .addColumn("position", "integer", required)
      .addColumn("bytes", "integer", required)
      .addColumn("created_at", "text", required)
      .addColumn("deleted_at", "text"),
  );
  await run(db, [
    "create index reprints_reported on reprints (order_id) where state = 'reported'",
    "create index reprints_answered_by on reprints (answered_by) where answered_by is not null",
    "create index reprint_photos_reprint on reprint_photos (reprint_id) where reprint_id is not null",
    "create index reprint_photos_owner on reprint_photos (owner_id)",
    "create index reprint_photos_owner_unsent on reprint_photos (owner_id, bytes) where reprint_id is null",
    "create index reprint_photos_unsent on reprint_photos (created_at) where deleted_at is null and reprint_id is null",
    "create index reprint_photos_kept on reprint_photos (created_at) where deleted_at is null",
    "create index reprint_photos_gone on reprint_photos (deleted_at) where deleted_at is not null",
  ]);
}

/** What the board of orders is searched by, and the log that its screens follow live. */
async function createBoard(db: Kysely<unknown>): Promise<void> {
  await create(
    db,
    "student_words",
    (table) =>
      table
        .addColumn("word", "text", required)
        .addColumn("user_id", "text", belongsTo("users.id"))
        .addPrimaryKeyConstraint("student_words_key", ["word", "user_id"]),
    { isKeptByKey: true },
  );
  await create(db, "live_events", (table) =>
    table
      .addColumn("seq", "integer", key)
      .addColumn("order_id", "text", required)
      .addColumn("shop_id", "text", required)
      .addColumn("kind", "text", required)
      .addColumn("state", "text", required)
      .addColumn("created_at", "text", required),
  );
  await create(db, "live_event_head", (table) =>
    table
      .addColumn("id", "integer", (c) => c.notNull().primaryKey().check(sql`id = 1`))
      .addColumn("seq", "integer", required),
  );
  await run(db, [
    "insert into live_event_head (id, seq) values (1, 0)",
    "create index student_words_user on student_words (user_id, word)",
    "create index live_events_age on live_events (created_at)",
  ]);
  // On PostgreSQL every server must learn that the log has grown; on SQLite there is one, which knows.
  if (isSqlite(db)) return;
  await run(db, [
    `create function notify_live_events() returns trigger language plpgsql as
      $$ begin perform pg_notify('live_events', ''); return null; end $$`,
    `create trigger live_event_head_changed after update on live_event_head
      for each statement execute function notify_live_events()`,
  ]);
}

/** Sums by day, so that nobody adds up a hundred thousand orders to see them. */
async function createStats(db: Kysely<unknown>): Promise<void> {
  await create(
    db,
    "daily_stats",
    (table) =>
      table
        .addColumn("shop_id", "text", required)
        .addColumn("day", "text", required)
        .addColumn("orders", "integer", required)
        .addColumn("pages", "integer", required)
        .addColumn("sheets", "integer", required)
        .addColumn("revenue_paise", "integer", required)
        .addColumn("cancelled", "integer", required)
        .addPrimaryKeyConstraint("daily_stats_key", ["shop_id", "day"]),
    { isKeptByKey: true },
  );
  await create(
    db,
    "daily_option_stats",
    (table) =>
      table
        .addColumn("shop_id", "text", required)
        .addColumn("day", "text", required)
        .addColumn("kind", "text", required)
        .addColumn("name", "text", required)
        .addColumn("orders", "integer", required)
        .addColumn("pages", "integer", required)
        .addColumn("sheets", "integer", required)
        .addColumn("amount_paise", "integer", required)
        .addPrimaryKeyConstraint("daily_option_stats_key", ["shop_id", "day", "kind", "name"]),
    { isKeptByKey: true },
  );
}

/** Mails that wait or were sent, which mails people do without, and what was written to the store. */
async function createMail(db: Kysely<unknown>): Promise<void> {
  await create(db, "outbox", (table) =>
    table
      .addColumn("id", "text", key)
      .addColumn("kind", "text", required)
      .addColumn("recipient", "text", required)
      .addColumn("reply_to", "text")
      .addColumn("subject", "text", required)
      .addColumn("content", "text")
      .addColumn("secret", "integer", checked("secret in (0, 1)"))
      .addColumn("priority", "integer", checked("priority >= 0"))
      .addColumn("attempts", "integer", required)
      .addColumn("due_at", "text", required)
      .addColumn("leased_until", "text")
      .addColumn("created_at", "text", required)
      .addColumn("sent_at", "text")
      .addColumn("failed_at", "text")
      .addColumn("last_error", "text"),
  );
  await create(db, "order_mails", (table) =>
    table
      .addColumn("order_id", "text", belongsTo("orders.id"))
      .addColumn("state", "text", required)
      .addColumn("mail_id", "text")
      .addColumn("created_at", "text", required)
      .addPrimaryKeyConstraint("order_mails_key", ["order_id", "state"]),
  );
  await create(db, "mail_refusals", (table) =>
    table
      .addColumn("user_id", "text", belongsTo("users.id"))
      .addColumn("kind", "text", required)
      .addPrimaryKeyConstraint("mail_refusals_key", ["user_id", "kind"]),
  );
  await create(db, "contact_messages", (table) =>
    table
      .addColumn("id", "text", key)
      .addColumn("full_name", "text", required)
      .addColumn("email", "text", required)
      .addColumn("subject", "text", required)
      .addColumn("message", "text", required)
      .addColumn("created_at", "text", required)
      .addColumn("state", "text", preset("new", "state in ('new', 'read', 'answered')"))
      .addColumn("state_by", "text", optional("users.id"))
      .addColumn("state_at", "text"),
  );
  await run(db, [
    "create index outbox_due on outbox (priority, due_at) where sent_at is null and failed_at is null",
    "create index outbox_unsent on outbox (created_at, id, failed_at) where sent_at is null",
    "create index outbox_addressed on outbox (created_at, id, recipient)",
    "create index outbox_recipient on outbox (recipient)",
    "create index outbox_reply_to on outbox (reply_to)",
    "create index outbox_short_lived on outbox (created_at) where kind in ('account-deleted', 'account-email-left', 'account-verify', 'account-login', 'account-phone', 'account-email', 'account-recovery', 'account-codes-closed')",
    "create index contact_messages_time on contact_messages (created_at, id)",
    "create index contact_messages_email on contact_messages (email)",
    "create index contact_messages_state on contact_messages (state)",
    "create index contact_messages_state_by on contact_messages (state_by) where state_by is not null",
  ]);
}

/** The browsers that get push messages, and the messages that wait. */
async function createPush(db: Kysely<unknown>): Promise<void> {
  await create(db, "push_subscriptions", (table) =>
    table
      .addColumn("id", "text", key)
      .addColumn("session_id", "text", belongsTo("sessions.public_id"))
      .addColumn("user_id", "text", belongsTo("users.id"))
      .addColumn("endpoint", "text", required)
      .addColumn("p256dh", "text", required)
      .addColumn("auth", "text", required)
      .addColumn("created_at", "text", required),
  );
  await create(db, "push_messages", (table) =>
    table
      .addColumn("subscription_id", "text", belongsTo("push_subscriptions.id"))
      .addColumn("topic", "text", required)
      .addColumn("user_id", "text", required)
      .addColumn("payload", "text", required)
      .addColumn("due_at", "text", required)
      .addColumn("expires_at", "text", required)
      .addColumn("attempts", "integer", required)
      .addColumn("leased_until", "text")
      .addPrimaryKeyConstraint("push_messages_key", ["subscription_id", "topic"]),
  );
  await run(db, [
    "create index push_subscriptions_session on push_subscriptions (session_id)",
    "create index push_subscriptions_user on push_subscriptions (user_id, created_at)",
    "create index push_messages_due on push_messages (due_at)",
    "create index push_messages_expiry on push_messages (expires_at)",
    "create index push_messages_topic on push_messages (topic)",
  ]);
}

/** The audit log, the counts of rate limits, and facts about the store itself. */
async function createStore(db: Kysely<unknown>): Promise<void> {
  await create(db, "audit_log", (table) =>
    table
      .addColumn("id", "text", key)
      .addColumn("created_at", "text", required)
      .addColumn("by_user_id", "text", required)
      .addColumn("by_name", "text", required)
      .addColumn("by_email", "text", required)
      .addColumn("action", "text", required)
      .addColumn("subject_id", "text", required)
      .addColumn("subject_name", "text", required)
      .addColumn("shop_id", "text")
      .addColumn("before", "text")
      .addColumn("after", "text")
      .addColumn("search_text", "text", required),
  );
  await create(db, "rate_limits", (table) =>
    table
      .addColumn("key", "text", key)
      .addColumn("points", "integer", required)
      .addColumn("expires_at", "text", required),
  );
  await create(db, "store_facts", (table) =>
    table.addColumn("name", "text", key).addColumn("value", "text", required),
  );
  await run(db, [
    "create index audit_log_time on audit_log (created_at, id)",
    "create index audit_log_shop on audit_log (shop_id, created_at)",
    "create index audit_log_action on audit_log (action, created_at, id)",
    "create index rate_limits_expires_at on rate_limits (expires_at)",
  ]);
  await onlyGrows(db, "audit_log", "the audit log only grows");
}

/** Makes the database refuse every change of the table but new rows. */
async function onlyGrows(db: Kysely<unknown>, table: string, message: string): Promise<void> {
  if (isSqlite(db)) {
    return run(
      db,
      ["update", "delete"].map(
        (change) => `create trigger ${table}_no_${change} before ${change} on ${table}
          begin select raise(abort, '${message}'); end`,
      ),
    );
  }
  await run(db, [
    `create function ${table}_refuse() returns trigger language plpgsql as
      $$ begin raise exception '${message}'; end $$`,
    `create trigger ${table}_no_change before update or delete or truncate on ${table}
      for each statement execute function ${table}_refuse()`,
  ]);
}

function isSqlite(db: Kysely<unknown>): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter;
}

type Table = CreateTableBuilder<string, string>;

/** On SQLite a table is strict: it takes no value of another type. `isKeptByKey`: its rows lie in the order of their key. */
async function create(
  db: Kysely<unknown>,
  name: string,
  addColumns: (table: Table) => Table,
  { isKeptByKey = false } = {},
): Promise<void> {
  const table = addColumns(db.schema.createTable(name));
  const ending = isKeptByKey ? sql`strict, without rowid` : sql`strict`;
  await (isSqlite(db) ? table.modifyEnd(ending) : table).execute();
}

async function run(db: Kysely<unknown>, statements: string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
