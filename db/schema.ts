import type { Generated } from "kysely";
import type { AuditAction } from "#shared/audit-actions.ts";
import type { InvoiceKind } from "#shared/gst.ts";
import type { HoldEnd } from "#shared/holds.ts";
import type { LiveEventKind } from "#shared/live-events.ts";
import type { MailChoice } from "#shared/mail-choices.ts";
import type { Basis, OptionKind } from "#shared/options.ts";
import type { Fulfilment, OrderState } from "#shared/order-states.ts";
import type { PaymentKind } from "#shared/payment.ts";
import type { ReprintState } from "#shared/reprints.ts";
import type { Role, StaffRole } from "#shared/schemas/accounts.ts";
import type { ContactState } from "#shared/schemas/contact.ts";
import type { PaymentMethod } from "#shared/schemas/payments.ts";

/** ISO 8601 in UTC, as `Date.toISOString` writes it; sorts as text. */
type Timestamp = string;
/** 0 or 1. */
type Flag = 0 | 1;

export interface UserTable {
  id: string;
  /** In lower case; unique. No real address for a visitor and a deleted account. */
  email: string;
  /** Ten digits; null for a visitor, and on an admin made by the store itself. */
  phone: string | null;
  full_name: string;
  password_hash: string;
  /** `visitor`: nobody's account, but a visit at a shop's counter; its name is the one that the shop calls out. */
  role: Role | "visitor";
  verified_at: Timestamp | null;
  terms_accepted_at: Timestamp | null;
  created_at: Timestamp;
  /** When its owner deleted the account. The row stays for what refers to it, without any personal data. */
  deleted_at: Timestamp | null;
}

/** One of the four fields of the contract in each column. */
export interface AddressTable {
  id: string;
  user_id: string;
  fullname: string;
  flatno: string;
  road_no: string;
  country: string;
  /** 1 on at most one address of a user. */
  is_default: Flag;
  created_at: Timestamp;
}

export interface SessionTable {
  /** SHA-256 of the token that the cookie holds. */
  id: string;
  /** The id that its owner sees in the list of sessions. */
  public_id: string;
  user_id: string;
  /** Browser and system, such as "Chrome on Android"; empty if unknown. */
  device: string;
  expires_at: Timestamp;
  created_at: Timestamp;
  /** When it was last used; updated every few minutes. */
  last_seen_at: Timestamp;
  /** When the user last entered a password or a second factor; null after a login by a mailed code alone. */
  confirmed_at: Timestamp | null;
  /** Whether the user has said that others use the computer too. */
  shared: Generated<Flag>;
}

/** A browser that gets push messages while its session lasts: one for each session. */
export interface PushSubscriptionTable {
  /** SHA-256 of `endpoint`. */
  id: string;
  /** `sessions.public_id`. */
  session_id: string;
  user_id: string;
  /** The browser's address at its push service; whoever knows it and the keys could send to it. */
  endpoint: string;
  p256dh: string;
  auth: string;
  created_at: Timestamp;
}

/** A push message that waits to be sent: at most one for each device and topic. Deleted once sent or given up. */
export interface PushMessageTable {
  subscription_id: string;
  topic: string;
  user_id: string;
  /** JSON. */
  payload: string;
  due_at: Timestamp;
  expires_at: Timestamp;
  attempts: number;
  /** Lease: until then one server sends it, and the others skip it. */
  leased_until: Timestamp | null;
}

/** Somebody at a shop's counter, without an account. The row is deleted some minutes after everything of it. */
export interface VisitTable {
  /** SHA-256 of the token that the cookie holds. */
  id: string;
  user_id: string;
  shop_id: string;
  /** The day and version of the shop's code that opened it, such as `2026-11-23.1`. */
  code: string;
  /** Keyed hash of the address that it came from. */
  address_hash: string;
  opened_at: Timestamp;
  expires_at: Timestamp;
  /** When its personal data was deleted. */
  ended_at: Timestamp | null;
}

/** The authenticator app of a staff member. */
export interface TotpSecretTable {
  user_id: string;
  /** Encrypted under the store's secret. */
  secret: string;
  /** The newest time step, of 30 seconds since 1970, whose code was used: it and those before it no longer work. */
  last_step: number;
  created_at: Timestamp;
}

export interface PasskeyTable {
  /** The credential's id, as base64url. */
  id: string;
  user_id: string;
  /** The name its owner gave it. */
  name: string;
  /** COSE key as base64url. */
  public_key: string;
  /** Signature counter at the last use, as digits: it may exceed a signed integer. */
  counter: string;
  /** WebAuthn transports, as a JSON array. */
  transports: string;
  created_at: Timestamp;
  last_used_at: Timestamp | null;
}

/** Works once: using it deletes the row. */
export interface RecoveryCodeTable {
  user_id: string;
  /** Keyed hash. */
  code_hash: string;
}

/** A login that has passed the password and waits for the second factor. */
export interface PendingLoginTable {
  /** SHA-256 of the token that the cookie holds. */
  id: string;
  user_id: string;
  expires_at: Timestamp;
  /** As of the session that it leads to. */
  shared: Generated<Flag>;
}

/** A challenge for a passkey to sign; using it deletes the row. */
export interface PasskeyChallengeTable {
  /** SHA-256 of the challenge. */
  id: string;
  /** The user who adds a passkey; null for a login. */
  user_id: string | null;
  expires_at: Timestamp;
}

export type CodePurpose = "verify" | "login" | "phone" | "email";

export interface OneTimeCodeTable {
  user_id: string;
  purpose: CodePurpose;
  /** Keyed hash of the six digits. */
  code_hash: string;
  tries_left: number;
  /** For devices that were logged in to the account before: strangers cannot use these up. */
  device_tries_left: Generated<number>;
  expires_at: Timestamp;
  /** The phone number or e-mail that a code of purpose `phone` or `email` confirms. */
  new_contact: string | null;
}

export interface PasswordResetTable {
  /** SHA-256 of the token in the mailed link. */
  token_hash: string;
  user_id: string;
  expires_at: Timestamp;
}

/** Every change of what guests see of a row raises the version of the catalogue, so all servers read all shops anew. */
export interface ShopTable {
  id: string;
  name: string;
  location: string;
  college: string;
  image: string;
  /** Tenths of a star: 45 is 4.5. */
  rating_tenths: number;
  per_page_paise: number;
  /** Shown to students. */
  email: string;
  /** The last e-mail that was confirmed by a link mailed to it, or entered by the operator: orders are mailed here. Empty before. */
  order_email: Generated<string>;
  contact_number: string;
  created_at: Timestamp;
  /** 0: takes no orders for now. */
  is_open: Generated<Flag>;
  /** Shown to students while it is closed, such as "back at 4 pm"; may be empty. */
  closed_note: Generated<string>;
  /** 1: students do not see it. */
  hidden: Generated<Flag>;
  /** Raised with each save of its fields, for version conflicts; the price list has its own. */
  version: Generated<number>;
  /** Who saved the fields last, and when; null until somebody did. */
  saved_by: string | null;
  saved_at: Timestamp | null;
  /** UPI address such as name@bank; empty if the shop takes no UPI payments. */
  upi_id: Generated<string>;
  /** 1: students may collect orders at the shop. */
  offers_pickup: Generated<Flag>;
  /** Shown to students, such as `Mon–Sat 9:00–20:00`; may be empty. */
  opening_hours: Generated<string>;
  /** 1: its packs have a sheet with the name of each next file between the files of an order. */
  separates_files: Generated<Flag>;
  /** 1: people at its counter may order without an account. */
  counter_on: Generated<Flag>;
  /** Raised to make the counter's code of the day invalid. */
  counter_version: Generated<number>;
  /** How many of its orders students have rated, and the sum of their stars. */
  rating_count: Generated<number>;
  star_sum: Generated<number>;
}

/** What decides a shop's promised times, beside its hours. No row: nobody has changed the defaults. */
export interface ShopScheduleTable {
  shop_id: string;
  /** Days separated by commas, such as `2026-12-25,2027-01-26`. */
  holidays: string;
  /** It closed early and opens again then. */
  closed_until: Timestamp | null;
  pages_per_minute: number;
  handling_minutes: number;
}

/** A change of a shop's payment address that the link in a mail can undo for a day. */
export interface PaymentAddressChangeTable {
  id: string;
  shop_id: string;
  /** Empty for none. */
  new_upi_id: string;
  /** The last address that was in use for a day without a change; an undo restores it. */
  standing_upi_id: string;
  changed_by: string;
  changed_at: Timestamp;
  /** SHA-256 of the token in the mailed link. */
  token_hash: string;
  /** Whose link undid it; null while it stands. */
  undone_by: string | null;
}

/** Recent owners of a shop and recent admins. */
export interface FormerStaffTable {
  id: string;
  user_id: string;
  /** Null for a former admin. */
  shop_id: string | null;
  left_at: Timestamp;
}

/** A shop's current or recent name and place, folded so that look-alikes are equal; no two shops have the same. */
export interface ShopNameTable {
  /** `nameKey` of the name; unique together with `location_key`. */
  name_key: string;
  location_key: string;
  shop_id: string;
  /** When the shop changed to another one; null for the current one. */
  released_at: Timestamp | null;
}

/** Disk room reserved for a running upload; deleted when the upload ends. */
export interface UploadReservationTable {
  id: string;
  owner_id: string;
  bytes: number;
  /** Later than any upload can last: an expired row was left by a server that died. */
  expires_at: Timestamp;
}

/** A shop's photo in a shared file store; the row is deleted with the bytes. */
export interface ShopPhotoTable {
  /** Key in the file store. */
  storage_key: string;
  /** The path under which it is served; contains a hash of the photo. */
  image: string;
  kept_at: Timestamp;
  /** Since when nobody can open it. */
  deleted_at: Timestamp | null;
}

/** Version of a shop's price list, and who saved it last. No row: never saved since the shop was created. */
export interface PriceListTable {
  shop_id: string;
  version: number;
  saved_by: string;
  saved_at: Timestamp;
}

export interface ShopOptionTable {
  id: string;
  shop_id: string;
  kind: OptionKind;
  name: string;
  price_paise: number;
  basis: Basis;
  /** Printed sides of a sheet: 2 for two-sided printing. */
  sides: number;
  /** 1: prints in colour. Only of `printedColours`. */
  in_colour: Generated<Flag>;
  position: number;
  active: Flag;
  /** Since when the shop has run out of it; null while it has it. */
  out_since: Timestamp | null;
}

export interface FileTable {
  /** Also its key in the file store. */
  id: string;
  owner_id: string;
  original_filename: string;
  bytes: number;
  pages: number;
  /** Which pages have which size: ranges by the name of the size, in JSON. */
  page_sizes: string;
  sha256: string;
  /** Extension of the document that the PDF was made of; null for one that came as a PDF. */
  converted_from: string | null;
  /** When its owner said that the converted PDF looks right: it can be ordered since then. */
  approved_at: Timestamp | null;
  /** Which of the first `colour_checked_pages` pages have colour, as ranges such as `3, 7-9`; null until checked. */
  colour_pages: string | null;
  /** How many pages were checked for colour, from the first on; 0 if none could be. */
  colour_checked_pages: number | null;
  /** Which of the checked pages are blank, and which have text that printers cut at the edge, as ranges. */
  blank_pages: string | null;
  edge_pages: string | null;
  /** The order that the file belongs to; a file can be ordered once. */
  order_id: string | null;
  created_at: Timestamp;
  /** Since when nobody can open it. */
  deleted_at: Timestamp | null;
  /** Who deleted it; null if it expired. */
  deleted_by: string | null;
  /** When its bytes were removed from the file store. */
  erased_at: Timestamp | null;
  /** Since when removing its bytes has failed. */
  erase_failed_at: Timestamp | null;
  /** Lease: until then one server checks it for colour or erases it, and the others skip it. */
  leased_until: Timestamp | null;
}

/** A pending upload to a shared file store: its bytes may be there while no row of `files` names them. */
export interface PendingFileTable {
  storage_key: string;
  /** When its server last reported that the upload is still running. */
  seen_at: Timestamp;
}

export interface OrderTable {
  id: string;
  /** The order number that people see, such as K7M4-Q2XD. */
  number: string;
  user_id: string;
  shop_id: string;
  state: OrderState;
  shop_name: string;
  shop_location: string;
  shop_email: string;
  shop_contact_number: string;
  /** Printed pages of one copy. */
  pages: number;
  copies: number;
  /** Printed sides of a sheet in its first job, as ordered: 1 or 2. */
  sides: number;
  /** Sheets of all jobs and copies. */
  sheets: number;
  /** JSON of its jobs (`OrderJob[]`) with what each takes; null for a single one that prints each page on a side of its own. */
  jobs: string | null;
  message: string;
  user_email: string;
  /** JSON of the delivery address; null if none was given. */
  address: string | null;
  sub_total_paise: number;
  tax_paise: number;
  delivery_fee_paise: number;
  total_paise: number;
  idempotency_key: string | null;
  /** SHA-256 of the request that the key was first used with. */
  request_hash: string;
  created_at: Timestamp;
  fulfilment: Fulfilment;
  /** Four digits that the student shows at pickup; null for a delivery. */
  pickup_code: string | null;
  /** How many more wrong codes are accepted before it locks. */
  pickup_tries_left: number;
  /** The sums of its rows in `payments`: what the shop holds, what it has given back, and by how much that lowered the price. */
  paid_paise: number;
  refunded_paise: number;
  credited_paise: number;
  /** Since when it is paid in full; null if it is not. */
  paid_at: Timestamp | null;
  /** The order that this free reprint repeats; a cancelled reprint can be ordered again. */
  reprint_of: string | null;
  /** Folded words for the search, each with a space before it. */
  search_text: string;
  /** The student's rating, 1 to 5; null until rated. */
  stars: number | null;
  /** When the files of a printed order will be deleted, unless it goes back to printing; null if nothing is scheduled. */
  files_delete_at: Timestamp | null;
  /** Since when it is on hold, as its open row of `order_holds` says; null where it is not. */
  held_at: Timestamp | null;
  /** By when the shop promised to have it printed; null if it had no opening hours. The end of a hold may make it later. */
  promised_at: Timestamp | null;
}

export interface OrderLineTable {
  order_id: string;
  /** The position of its job in the order, from 0. */
  job: number;
  kind: OptionKind;
  option_id: string;
  name: string;
  unit_paise: number;
  basis: Basis;
  quantity: number;
  amount_paise: number;
}

export interface OrderFileTable {
  order_id: string;
  position: number;
  file_id: string;
  /** The pages to print as ranges such as `1-10, 15`; null for all of them. */
  page_ranges: string | null;
}

/** The states that an order has had, and who brought it there. */
export interface OrderHistoryTable {
  id: string;
  order_id: string;
  state: OrderState;
  by_user_id: string | null;
  /** The reason for a cancellation, as shown to the student. */
  reason: string | null;
  created_at: Timestamp;
}

/** Each time staff put an order on hold because something is wrong with it; at most one of an order is open. */
export interface OrderHoldTable {
  id: string;
  order_id: string;
  /** As the student is told. */
  reason: string;
  by_user_id: string;
  created_at: Timestamp;
  /** What the student wrote; empty until they answer. */
  answer: string;
  answered_at: Timestamp | null;
  /** When it ended; null while the order is on hold. */
  resolved_at: Timestamp | null;
  how: HoldEnd | null;
}

/** Money that a shop took or gave back. Rows are only added: a wrong one is reversed by another. */
export interface PaymentTable {
  id: string;
  order_id: string;
  shop_id: string;
  /** The day of the shop's book that it counts in, such as `2026-11-21`: later than `created_at` if that day was closed. */
  day: string;
  kind: PaymentKind;
  method: PaymentMethod;
  /** Positive for a payment, negative for a refund; a reversal has the opposite of what it reverses. */
  amount_paise: number;
  /** What a refund gives back although it is owed, and so takes off the price; negative for its reversal, 0 for a payment. */
  credited_paise: number;
  /** The row that a reversal undoes; unique. */
  reverses: string | null;
  /** Empty for a payment. */
  reason: string;
  by_user_id: string;
  /** Who approved a refund or a reversal. */
  approved_by: string | null;
  /** Chosen by the client, so that what is sent twice is recorded once; unique for the order. */
  client_key: string;
  created_at: Timestamp;
}

/** A day of a shop's book in Indian time. It takes payments until it is closed. */
export interface BookDayTable {
  shop_id: string;
  day: string;
  /** When and by whom it was closed; null while it is open. */
  closed_at: Timestamp | null;
  closed_by: string | null;
  counted_cash_paise: number | null;
  /** About the difference of the cash; may be empty. */
  note: Generated<string>;
  /** JSON of its figures when it was closed. */
  figures: string | null;
}

/** What a shop needs for tax invoices. No row, or an empty GSTIN: it issues none. */
export interface ShopTaxTable {
  shop_id: string;
  /** Empty for a shop that is not registered; its first two digits are the shop's state. */
  gstin: string;
  legal_name: string;
  /** The registered address. */
  address: string;
  rate_percent: number;
  /** HSN or SAC code. */
  sac: string;
  /** With what its invoice numbers begin; no two shops with one GSTIN have the same. */
  series: string;
}

/**
 * A tax invoice, or a note that lowers or raises one. Rows are only added, and numbered without gaps for each GSTIN, series,
 * kind and financial year. What it says of the shop is as it was when the invoice was issued.
 */
export interface InvoiceTable {
  id: string;
  order_id: string;
  shop_id: string;
  kind: InvoiceKind;
  gstin: string;
  series: string;
  /** The year in which the financial year begins. */
  year: number;
  seq: number;
  legal_name: string;
  address: string;
  rate_percent: number;
  sac: string;
  /** State code of the place of supply. */
  place: string;
  /** The sum of the four amounts below, which are all negative or 0 on a credit note. */
  total_paise: number;
  taxable_paise: number;
  cgst_paise: number;
  sgst_paise: number;
  igst_paise: number;
  /** Why a note was issued; empty on an invoice. */
  reason: string;
  issued_at: Timestamp;
}

/** A printing error that a student reported: one for each order, with the shop's answer. */
export interface ReprintTable {
  id: string;
  order_id: string;
  state: ReprintState;
  reason: string;
  created_at: Timestamp;
  /** Empty until it is answered. */
  answer: string;
  answered_at: Timestamp | null;
  answered_by: string | null;
}

/** A photo for the report of an error, kept in the file store under its id. */
export interface ReprintPhotoTable {
  id: string;
  owner_id: string;
  /** Null until the report is sent. */
  reprint_id: string | null;
  position: number;
  bytes: number;
  created_at: Timestamp;
  /** Since when nobody can open it; the row is deleted with the bytes. */
  deleted_at: Timestamp | null;
}

/** Folded words of a student's name, e-mail and phone, by which their orders are found; searched by prefix. */
export interface StudentWordTable {
  word: string;
  user_id: string;
}

/** A note of staff about an order, which the student does not see. */
export interface OrderNoteTable {
  id: string;
  order_id: string;
  by_user_id: string;
  body: string;
  created_at: Timestamp;
}

/** Events of orders, for screens that follow them live; kept for some days. */
export interface LiveEventTable {
  /** Counts up without gaps, in the order of the commits. */
  seq: number;
  order_id: string;
  shop_id: string;
  kind: LiveEventKind;
  /** The order's state after it. */
  state: OrderState;
  created_at: Timestamp;
}

/** One row: a version that triggers raise with every change of a shop or a price list, for caches. */
export interface CatalogueTable {
  id: 1;
  version: number;
}

/** One row: the newest `seq` of the log. */
export interface LiveEventHeadTable {
  id: 1;
  seq: number;
}

/** Totals of a shop for one day in Indian time. A cancelled order counts in `cancelled` alone. */
export interface DailyStatsTable {
  /** `*` for all shops together. */
  shop_id: string;
  /** Such as `2026-11-21`. */
  day: string;
  orders: number;
  /** Printed pages: an order's pages times its copies. */
  pages: number;
  sheets: number;
  revenue_paise: number;
  cancelled: number;
}

/** Totals of the orders with one option. */
export interface DailyOptionStatsTable {
  shop_id: string;
  day: string;
  kind: OptionKind;
  name: string;
  orders: number;
  pages: number;
  sheets: number;
  /** Revenue of the option itself. */
  amount_paise: number;
}

export interface OutboxTable {
  id: string;
  kind: string;
  recipient: string;
  reply_to: string | null;
  subject: string;
  /** JSON of the mail's content, from which it is rendered when it is sent; null once erased. */
  content: string | null;
  /** 1 if the mail contains a code or a link that gives access to an account: its content is erased once sent. */
  secret: Flag;
  /** Due mails with a lower number are sent first, as MAIL_PRIORITIES says. */
  priority: number;
  attempts: number;
  /** When a worker may send it; later after each failure. */
  due_at: Timestamp;
  /** Lease: until then one worker sends it, and the others skip it. */
  leased_until: Timestamp | null;
  created_at: Timestamp;
  sent_at: Timestamp | null;
  failed_at: Timestamp | null;
  last_error: string | null;
}

/** A kind of mail about orders that a user has turned off. */
export interface MailRefusalTable {
  user_id: string;
  kind: MailChoice;
}

/** The states of an order about which its student was mailed: once each, unless the order goes back. */
export interface OrderMailTable {
  order_id: string;
  state: OrderState;
  /** The mail, which can be withdrawn while it waits. */
  mail_id: string | null;
  created_at: Timestamp;
}

export interface ContactMessageTable {
  id: string;
  full_name: string;
  email: string;
  subject: string;
  message: string;
  created_at: Timestamp;
  state: Generated<ContactState>;
  /** Who last changed the state, and when. */
  state_by: string | null;
  state_at: Timestamp | null;
}

/** The shops that owners run and counter staff work at. Admins have no rows: every shop is theirs. */
export interface ShopStaffTable {
  user_id: string;
  shop_id: string;
  created_at: Timestamp;
}

/** An open invitation; deleted when it is accepted or withdrawn. */
export interface StaffInvitationTable {
  id: string;
  /** In lower case. Each inviter has at most one open invitation for an address. */
  email: string;
  role: StaffRole;
  /** SHA-256 of the token in the mailed link. */
  token_hash: string;
  invited_by: string;
  created_at: Timestamp;
  expires_at: Timestamp;
}

export interface StaffInvitationShopTable {
  invitation_id: string;
  shop_id: string;
}

/** Who did what. Refers to no other table, since those rows may be deleted. Triggers refuse every change. */
export interface AuditLogTable {
  id: string;
  created_at: Timestamp;
  by_user_id: string;
  by_name: string;
  by_email: string;
  action: AuditAction;
  subject_id: string;
  subject_name: string;
  /** The shop that it concerns; null if it concerns the whole store. */
  shop_id: string | null;
  /** JSON of the changed fields before; null for something new. */
  before: string | null;
  /** JSON of the changed fields after; null for something deleted. */
  after: string | null;
  /** The searchable fields above, folded. */
  search_text: string;
}

/** How much of a rate limit is used, until it expires. */
export interface RateLimitTable {
  /** The limit's name and a keyed hash of whom it counts: an address, an e-mail, a phone or an account. */
  key: string;
  points: number;
  expires_at: Timestamp;
}

/** Facts about the store itself, such as that it was seeded. */
export interface StoreFactTable {
  name: string;
  value: string;
}

export interface Schema {
  users: UserTable;
  addresses: AddressTable;
  sessions: SessionTable;
  visits: VisitTable;
  push_subscriptions: PushSubscriptionTable;
  push_messages: PushMessageTable;
  totp_secrets: TotpSecretTable;
  passkeys: PasskeyTable;
  recovery_codes: RecoveryCodeTable;
  pending_logins: PendingLoginTable;
  passkey_challenges: PasskeyChallengeTable;
  one_time_codes: OneTimeCodeTable;
  password_resets: PasswordResetTable;
  shops: ShopTable;
  shop_names: ShopNameTable;
  shop_schedules: ShopScheduleTable;
  payment_address_changes: PaymentAddressChangeTable;
  former_staff: FormerStaffTable;
  shop_photos: ShopPhotoTable;
  pending_files: PendingFileTable;
  upload_reservations: UploadReservationTable;
  price_lists: PriceListTable;
  shop_options: ShopOptionTable;
  files: FileTable;
  orders: OrderTable;
  order_lines: OrderLineTable;
  order_files: OrderFileTable;
  reprints: ReprintTable;
  reprint_photos: ReprintPhotoTable;
  order_events: OrderHistoryTable;
  payments: PaymentTable;
  book_days: BookDayTable;
  shop_taxes: ShopTaxTable;
  invoices: InvoiceTable;
  order_holds: OrderHoldTable;
  student_words: StudentWordTable;
  order_notes: OrderNoteTable;
  live_events: LiveEventTable;
  live_event_head: LiveEventHeadTable;
  daily_stats: DailyStatsTable;
  daily_option_stats: DailyOptionStatsTable;
  outbox: OutboxTable;
  mail_refusals: MailRefusalTable;
  order_mails: OrderMailTable;
  contact_messages: ContactMessageTable;
  shop_staff: ShopStaffTable;
  staff_invitations: StaffInvitationTable;
  staff_invitation_shops: StaffInvitationShopTable;
  audit_log: AuditLogTable;
  catalogue: CatalogueTable;
  rate_limits: RateLimitTable;
  store_facts: StoreFactTable;
}
