import type { Generated } from "kysely";
import type { AuditAction } from "#shared/audit-actions.ts";
import type { Fulfilment } from "#shared/fulfilment.ts";
import type { QueueEventKind } from "#shared/live-events.ts";
import type { MailChoice } from "#shared/mail-choices.ts";
import type { Basis, OptionKind } from "#shared/options.ts";
import type { OrderState } from "#shared/order-states.ts";
import type { ReprintState } from "#shared/reprints.ts";
import type { Role, StaffRole } from "#shared/schemas/accounts.ts";
import type { ContactState } from "#shared/schemas/contact.ts";

/** ISO 8601 in UTC, as `Date.toISOString` writes it; sorts as text. */
type Timestamp = string;
/** 0 or 1. */
type Flag = 0 | 1;

export interface UserTable {
  id: string;
  /** In lower case; unique. */
  email: string;
  /** Ten digits; null only on an admin made by the store itself. */
  phone: string | null;
  full_name: string;
  password_hash: string;
  role: Role;
  verified_at: Timestamp | null;
  terms_accepted_at: Timestamp | null;
  created_at: Timestamp;
  /** When its owner deleted it: nothing in the row is theirs any more, and it only stands for what refers to it. */
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
  /** 1 on at most one of a user's. */
  is_default: Flag;
  created_at: Timestamp;
}

export interface SessionTable {
  /** SHA-256 of the token that the cookie holds. */
  id: string;
  /** What its owner knows it by; it says nothing of the token. */
  public_id: string;
  user_id: string;
  /** Browser and system, such as "Chrome on Android"; empty where they are not known. */
  device: string;
  expires_at: Timestamp;
  created_at: Timestamp;
  /** When it was last used, to within some minutes. */
  last_seen_at: Timestamp;
  /** When its person last proved by a password or a second factor that it is them; null: by a mailed code only. */
  confirmed_at: Timestamp | null;
}

/** The authenticator app of someone on the staff. */
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
  /** What its owner calls it. */
  name: string;
  /** COSE key as base64url. */
  public_key: string;
  /** What the authenticator counted at its last use, in digits: it may be past what an integer column holds. */
  counter: string;
  /** How browsers reach it, as a JSON array. */
  transports: string;
  created_at: Timestamp;
  last_used_at: Timestamp | null;
}

/** Works once: the row goes with its use. */
export interface RecoveryCodeTable {
  user_id: string;
  /** Keyed hash. */
  code_hash: string;
}

/** Somebody has given the password, and not yet the second factor. */
export interface PendingLoginTable {
  /** SHA-256 of the token that the cookie holds. */
  id: string;
  user_id: string;
  expires_at: Timestamp;
}

/** A challenge that a passkey is to sign; the row goes with its use. */
export interface PasskeyChallengeTable {
  /** SHA-256 of the challenge. */
  id: string;
  /** Whose new passkey it is for; null for one that logs in. */
  user_id: string | null;
  expires_at: Timestamp;
}

export type CodePurpose = "verify" | "login" | "phone";

export interface OneTimeCodeTable {
  user_id: string;
  purpose: CodePurpose;
  /** Keyed hash of the six digits. */
  code_hash: string;
  /** Of strangers, and of devices that were logged in to the account before. */
  tries_left: number;
  device_tries_left: Generated<number>;
  expires_at: Timestamp;
  /** The number that a code of purpose `phone` brings into force. */
  new_phone: string | null;
}

export interface PasswordResetTable {
  /** SHA-256 of the token in the mailed link. */
  token_hash: string;
  user_id: string;
  expires_at: Timestamp;
}

export interface ShopTable {
  id: string;
  name: string;
  location: string;
  college: string;
  image: string;
  /** Tenths of a star: 45 is 4.5. */
  rating_tenths: number;
  per_page_paise: number;
  email: string;
  contact_number: string;
  created_at: Timestamp;
  /** 0: takes no orders for now. */
  is_open: Generated<Flag>;
  /** What students are told while it is closed, such as "back at 4 pm"; may be empty. */
  closed_note: Generated<string>;
  /** 1: students do not see it. */
  hidden: Generated<Flag>;
  /** Counts the times that its fields (not its price list) were saved. */
  version: Generated<number>;
  /** The name of who saved them last, and when; null until someone did. */
  saved_by: string | null;
  saved_at: Timestamp | null;
  /** Where students pay by UPI, such as name@bank; empty where the shop does not take it. */
  upi_id: Generated<string>;
  /** 1: students may fetch their orders. */
  offers_pickup: Generated<Flag>;
  /** How many of its orders students have rated, and the sum of their stars. */
  rating_count: Generated<number>;
  star_sum: Generated<number>;
}

/** A new payment address of a shop, as long as the link in a mail undoes it. */
export interface PaymentAddressChangeTable {
  id: string;
  shop_id: string;
  /** Empty for none. */
  old_upi_id: string;
  new_upi_id: string;
  /** The last address before it that stood for a day without a change: what an undo brings back. */
  standing_upi_id: string;
  changed_by: string;
  changed_at: Timestamp;
  /** SHA-256 of the token in the mailed link. */
  token_hash: string;
}

/** Who was an owner of a shop, or an admin, until lately. */
export interface FormerStaffTable {
  id: string;
  user_id: string;
  /** Null for who was an admin. */
  shop_id: string | null;
  left_at: Timestamp;
}

/** A name and place as people read them, which belong to one shop: that it has now, or had until lately. */
export interface ShopNameTable {
  /** `nameKey` of the name; with that of the place unique. */
  name_key: string;
  location_key: string;
  shop_id: string;
  /** When the shop took another; null while it has this one. */
  released_at: Timestamp | null;
}

/** Room that an upload under way has taken; the row goes with its end. */
export interface UploadReservationTable {
  id: string;
  owner_id: string;
  bytes: number;
  /** No upload lasts until then: what stands longer was left by a server that died. */
  expires_at: Timestamp;
}

/** A shop's photo in a file store that every server sees; the row goes with the bytes. */
export interface ShopPhotoTable {
  /** Key in the file store. */
  storage_key: string;
  /** The path under which it is served, which names it by what is in it. */
  image: string;
  kept_at: Timestamp;
  /** When it was taken out of reach. */
  deleted_at: Timestamp | null;
}

/** How often a shop's price list was saved, by whom last and when. No row: never since it was made. */
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
  /** Printed sides of a sheet; 2 only on two-sided printing. */
  sides: number;
  position: number;
  active: Flag;
}

export interface FileTable {
  id: string;
  owner_id: string;
  /** Key in the file store. */
  storage_key: string;
  original_filename: string;
  format: string;
  bytes: number;
  pages: number;
  sha256: string;
  /** Those of the first `colour_checked_pages` that hold colour, as ranges such as `3, 7-9`; null until they are looked at. */
  colour_pages: string | null;
  /** How many pages were looked at, from the first on; 0 where none could be. */
  colour_checked_pages: number | null;
  /** The one order that the file belongs to; a file is ordered once. */
  order_id: string | null;
  created_at: Timestamp;
  /** When it was taken out of everyone's reach. */
  deleted_at: Timestamp | null;
  /** Who deleted it; null where time ran out. */
  deleted_by: string | null;
  /** When its bytes were gone from the file store. */
  erased_at: Timestamp | null;
  /** Since when its bytes should be gone and could not be removed. */
  erase_failed_at: Timestamp | null;
  /** Until then one of the servers works on it, looks for colour in it or erases it, and the others pass over it. */
  taken_until: Timestamp | null;
}

/** A file that a server is keeping and has not recorded yet; where files are not on its own disk. */
export interface FileKeepingTable {
  storage_key: string;
  /** When its server last said that it is at it. */
  seen_at: Timestamp;
}

export interface OrderTable {
  id: string;
  /** What people call the order, such as K7M4-Q2XD. */
  number: string;
  user_id: string;
  shop_id: string;
  state: OrderState;
  shop_name: string;
  shop_location: string;
  shop_email: string;
  shop_contact_number: string;
  pages: number;
  copies: number;
  sheets: number;
  message: string;
  user_email: string;
  /** JSON of the delivery address, or null where none was given. */
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
  /** Four digits that the student shows at hand-over; null on an order that is delivered. */
  pickup_code: string | null;
  /** How many more wrong codes are taken. */
  pickup_tries_left: number;
  /** When and by whom it was marked as paid; null while it is not. */
  paid_at: Timestamp | null;
  paid_by: string | null;
  /** The order that this one prints again at no charge; unique. */
  reprint_of: string | null;
  /** The folded words that it is found by, a space before each. */
  search_text: string;
  /** What its student gave it when it was delivered, 1 to 5; null until they do. */
  stars: number | null;
  /** When they gave it, or changed it last. */
  rated_at: Timestamp | null;
  /** When the files of a printed order are deleted, unless it goes back to printing; null where nothing waits for that. */
  files_delete_at: Timestamp | null;
}

export interface OrderLineTable {
  order_id: string;
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

export interface OrderEventTable {
  id: string;
  order_id: string;
  state: OrderState;
  by_user_id: string | null;
  /** Why it was cancelled, as the student was told. */
  reason: string | null;
  created_at: Timestamp;
}

/** Each time that staff marked an order as paid, or took that back. */
export interface OrderPaymentTable {
  id: string;
  order_id: string;
  paid: Flag;
  by_user_id: string;
  created_at: Timestamp;
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
  /** Null until the report that it is for is sent. */
  reprint_id: string | null;
  position: number;
  bytes: number;
  created_at: Timestamp;
  /** When it was taken out of everyone's reach; the row goes with the bytes. */
  deleted_at: Timestamp | null;
}

/** What a student's orders are found by beside their numbers: folded words, looked up by their beginnings. */
export interface StudentWordTable {
  word: string;
  user_id: string;
}

/** What staff tell each other about an order. */
export interface OrderNoteTable {
  id: string;
  order_id: string;
  by_user_id: string;
  body: string;
  created_at: Timestamp;
}

/** What happened in the queue, for screens that follow it live; kept for some days. */
export interface QueueLogTable {
  /** Counts up without gaps, in the order of the commits. */
  seq: number;
  order_id: string;
  shop_id: string;
  kind: QueueEventKind;
  /** The order's state after it. */
  state: OrderState;
  created_at: Timestamp;
}

/** One row: a number that triggers raise with every change of a shop or of a price list. */
export interface CatalogueTable {
  id: 1;
  version: number;
}

/** One row: the newest number of the log. */
export interface QueueHeadTable {
  id: 1;
  seq: number;
}

/** What was ordered at a shop on one Indian day; what was cancelled later is only counted as that. */
export interface DailyFiguresTable {
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

/** The same for the orders with one option. */
export interface DailyOptionFiguresTable {
  shop_id: string;
  day: string;
  kind: OptionKind;
  name: string;
  orders: number;
  pages: number;
  sheets: number;
  /** What the option itself brought in. */
  amount_paise: number;
}

export interface OutboxTable {
  id: string;
  kind: string;
  recipient: string;
  reply_to: string | null;
  subject: string;
  /** JSON of what the mail says; null in a mail that was queued before that was kept, and once it is erased. */
  content: string | null;
  /** Empty where `content` is kept, as `html_body` is. */
  text_body: string;
  html_body: string;
  /** JSON of the QR codes that `html_body` shows by their content ids; null where it shows none. */
  images: string | null;
  /** 1 when the body holds a code or a link that opens an account: it is erased once sent. */
  secret: Flag;
  attempts: number;
  /** When a worker may take it; pushed forward after a failure. */
  due_at: Timestamp;
  /** Until then a worker holds it, and the others pass over it. */
  leased_until: Timestamp | null;
  created_at: Timestamp;
  sent_at: Timestamp | null;
  failed_at: Timestamp | null;
  last_error: string | null;
}

/** A mail about their orders that a user does without. */
export interface MailRefusalTable {
  user_id: string;
  kind: MailChoice;
}

/** The states of an order of which its student was mailed: of each once, until the order goes back. */
export interface OrderMailTable {
  order_id: string;
  state: OrderState;
  /** The mail, where it can be taken back while it waits. */
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

/** An invitation that waits; it is deleted when it is accepted or withdrawn. */
export interface StaffInvitationTable {
  id: string;
  /** In lower case. Each inviter has at most one that waits at an address. */
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

/** Who did what. It stands by itself: it refers to no row that may go. Triggers refuse every change. */
export interface AuditLogTable {
  id: string;
  created_at: Timestamp;
  by_user_id: string;
  by_name: string;
  by_email: string;
  action: AuditAction;
  subject_id: string;
  subject_name: string;
  /** The shop that it concerned; null when it concerned the store. */
  shop_id: string | null;
  /** JSON of the fields that changed, as they were; null where nothing was. */
  before: string | null;
  /** JSON of the fields that changed, as they became; null where nothing is left. */
  after: string | null;
  /** Everything above that people search for, folded. */
  search_text: string;
}

/** What was used of a limit, until it expires and counts from nothing again. */
export interface RateLimitTable {
  /** The limit's name, and a keyed hash of what it counts for: an address, an e-mail, a phone, an account. */
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
  totp_secrets: TotpSecretTable;
  passkeys: PasskeyTable;
  recovery_codes: RecoveryCodeTable;
  pending_logins: PendingLoginTable;
  passkey_challenges: PasskeyChallengeTable;
  one_time_codes: OneTimeCodeTable;
  password_resets: PasswordResetTable;
  shops: ShopTable;
  shop_names: ShopNameTable;
  payment_address_changes: PaymentAddressChangeTable;
  former_staff: FormerStaffTable;
  shop_photos: ShopPhotoTable;
  file_keepings: FileKeepingTable;
  upload_reservations: UploadReservationTable;
  price_lists: PriceListTable;
  shop_options: ShopOptionTable;
  files: FileTable;
  orders: OrderTable;
  order_lines: OrderLineTable;
  order_files: OrderFileTable;
  reprints: ReprintTable;
  reprint_photos: ReprintPhotoTable;
  order_events: OrderEventTable;
  order_payments: OrderPaymentTable;
  student_words: StudentWordTable;
  order_notes: OrderNoteTable;
  queue_log: QueueLogTable;
  queue_head: QueueHeadTable;
  daily_figures: DailyFiguresTable;
  daily_option_figures: DailyOptionFiguresTable;
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
