import type { Kysely } from "kysely";

/** Finds what concerns one address without reading every mail and message. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.createIndex("outbox_recipient").on("outbox").column("recipient").execute();
  await schema.createIndex("outbox_reply_to").on("outbox").column("reply_to").execute();
  await schema.createIndex("contact_messages_email").on("contact_messages").column("email").execute();
}
