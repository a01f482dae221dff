type Row = Record<string, string | number | null>;

const AT = "2026-11-20T09:30:00.000Z";
const LATER = "2027-11-20T09:30:00.000Z";

const PRINTED = { shop_id: "lamp-post", day: "2026-11-20", orders: 1, pages: 6, sheets: 6 };
const ADDRESS = { country: "India", roadNo: "G.T. Road 12", flatno: "Room 210", fullname: "Zoë Fernandes" };

const person = { verified_at: AT, terms_accepted_at: AT, created_at: AT, deleted_at: null };

export const OLD_STUDENT = { id: "zoe", email: "zoe@college.example", phone: "9000000001" };
export const OLD_ADMIN = { id: "ravi", email: "ravi@store.example", phone: "9000000002" };
export const OLD_SHOP = { id: "lamp-post", name: "Lamp Post Prints", location: "Hazratganj, Lucknow" };
export const OLD_ORDER = {
  id: "5f0c1b52-7d0e-4d0a-9a57-3f1f6f2a1c11",
  number: "K7M4-Q2XD",
  pages: 3,
  copies: 2,
  total_paise: 5_400,
};

/**
 * Rows for every table that any released version had, with a value for every column; tables come after those that they
 * refer to.
 * @param passwordHash of the password that both people have
 */
export function oldRows(passwordHash: string): Record<string, Row[]> {
  return {
    users: [
      {
        ...person,
        ...OLD_STUDENT,
        full_name: "Zoë Fernandes",
        role: "customer",
        password_hash: passwordHash,
      },
      { ...person, ...OLD_ADMIN, full_name: "Ravi Menon", role: "admin", password_hash: passwordHash },
    ],
    addresses: [
      {
        id: "home",
        user_id: "zoe",
        fullname: "Zoë Fernandes",
        flatno: "Room 210",
        road_no: "G.T. Road 12",
        country: "India",
        is_default: 1,
        created_at: AT,
      },
    ],
    sessions: [
      {
        id: "session-hash",
        public_id: "session",
        user_id: "zoe",
        device: "Chrome on Android",
        expires_at: LATER,
        created_at: AT,
        last_seen_at: AT,
        confirmed_at: AT,
      },
    ],
    one_time_codes: [
      {
        user_id: "zoe",
        purpose: "login",
        code_hash: "code-hash",
        tries_left: 4,
        device_tries_left: 3,
        expires_at: LATER,
        new_contact: null,
      },
    ],
    totp_secrets: [{ user_id: "zoe", secret: "sealed", last_step: 59_000_000, created_at: AT }],
    passkeys: [
      {
        id: "credential",
        user_id: "zoe",
        name: "Office PC",
        public_key: "key",
        counter: "4294967295",
        transports: "[]",
        created_at: AT,
        last_used_at: AT,
      },
    ],
    recovery_codes: [{ user_id: "zoe", code_hash: "hash" }],
    pending_logins: [{ id: "login-hash", user_id: "zoe", expires_at: LATER }],
    passkey_challenges: [{ id: "challenge-hash", user_id: "zoe", expires_at: LATER }],
    password_resets: [{ token_hash: "token-hash", user_id: "zoe", expires_at: LATER }],
    shops: [
      {
        ...OLD_SHOP,
        college: "IIT Kanpur",
        image: "/shop-images/ridge-road-copies.svg",
        rating_tenths: 42,
        per_page_paise: 150,
        email: "orders@lamp-post.example",
        contact_number: "+91 00000 00042",
        created_at: AT,
        is_open: 1,
        closed_note: "",
        hidden: 0,
        version: 2,
        saved_by: "Ravi Menon",
        saved_at: AT,
        upi_id: "lamp.post@bank",
        offers_pickup: 1,
        opening_hours: "Mon–Sat 9:00–20:00",
        rating_count: 1,
        star_sum: 4,
      },
    ],
    pending_files: [{ storage_key: "half-kept", seen_at: AT }],
    payment_address_changes: [
      {
        id: "change",
        shop_id: "lamp-post",
        old_upi_id: "lamp.post@okbank",
        new_upi_id: "lamp.press@okbank",
        standing_upi_id: "lamp.post@okbank",
        changed_by: "ravi",
        changed_at: AT,
        token_hash: "change-hash",
      },
    ],
    former_staff: [{ id: "left", user_id: "ravi", shop_id: "lamp-post", left_at: AT }],
    shop_names: [
      { name_key: "lamppostprlnts", location_key: "elsewhere", shop_id: "lamp-post", released_at: AT },
    ],
    upload_reservations: [{ id: "under-way", owner_id: "zoe", bytes: 5_000, expires_at: AT }],
    shop_photos: [{ storage_key: "shop-photo", image: "/shop-photos/a.webp", kept_at: AT, deleted_at: null }],
    price_lists: [{ shop_id: "lamp-post", version: 3, saved_by: "Ravi Menon", saved_at: AT }],
    shop_options: [
      {
        id: "bw",
        shop_id: "lamp-post",
        kind: "printedColours",
        name: "Black & White",
        price_paise: 50,
        basis: "page",
        sides: 1,
        position: 0,
        active: 1,
      },
    ],
    orders: [
      {
        ...OLD_ORDER,
        user_id: "zoe",
        shop_id: "lamp-post",
        state: "placed",
        shop_name: OLD_SHOP.name,
        shop_location: OLD_SHOP.location,
        shop_email: "orders@lamp-post.example",
        shop_contact_number: "+91 00000 00042",
        sheets: 6,
        message: "Please staple at the top left",
        user_email: OLD_STUDENT.email,
        address: JSON.stringify(ADDRESS),
        sub_total_paise: 300,
        tax_paise: 100,
        delivery_fee_paise: 5_000,
        idempotency_key: "draft-1",
        search_text: " k7m4q2xd q2xd zoe fernandes",
        request_hash: "request-hash",
        created_at: AT,
        fulfilment: "delivery",
        pickup_code: null,
        pickup_tries_left: 0,
        paid_at: AT,
        paid_by: "ravi",
        stars: 4,
        rated_at: AT,
        reprint_of: null,
        files_delete_at: null,
      },
    ],
    reprints: [
      {
        id: "reprint",
        order_id: OLD_ORDER.id,
        state: "reported",
        reason: "Page 2 is missing",
        created_at: AT,
        answer: "",
        answered_at: null,
        answered_by: null,
      },
    ],
    reprint_photos: [
      {
        id: "reprint-photo",
        owner_id: "zoe",
        reprint_id: "reprint",
        position: 0,
        bytes: 1_234,
        created_at: AT,
        deleted_at: null,
      },
    ],
    files: [
      {
        id: "notes-file",
        owner_id: "zoe",
        storage_key: "notes-file",
        original_filename: "Notes.pdf",
        format: "pdf",
        bytes: 1_234,
        pages: 3,
        sha256: "0".repeat(64),
        colour_pages: "",
        colour_checked_pages: 3,
        order_id: OLD_ORDER.id,
        created_at: AT,
        deleted_at: null,
        deleted_by: null,
        erased_at: null,
        erase_failed_at: null,
        leased_until: null,
      },
    ],
    order_lines: [
      {
        order_id: OLD_ORDER.id,
        kind: "printedColours",
        option_id: "bw",
        name: "Black & White",
        unit_paise: 50,
        basis: "page",
        quantity: 6,
        amount_paise: 300,
      },
    ],
    order_files: [{ order_id: OLD_ORDER.id, position: 0, file_id: "notes-file", page_ranges: null }],
    order_events: [
      {
        id: "event",
        order_id: OLD_ORDER.id,
        state: "placed",
        by_user_id: "zoe",
        reason: null,
        created_at: AT,
      },
    ],
    order_payments: [{ id: "payment", order_id: OLD_ORDER.id, paid: 1, by_user_id: "ravi", created_at: AT }],
    student_words: ["zoe", "fernandes"].map((word) => ({ word, user_id: "zoe" })),
    order_notes: [
      { id: "note", order_id: OLD_ORDER.id, by_user_id: "ravi", body: "Thick paper", created_at: AT },
    ],
    live_events: [
      {
        seq: 1,
        order_id: OLD_ORDER.id,
        shop_id: "lamp-post",
        kind: "placed",
        state: "placed",
        created_at: AT,
      },
    ],
    live_event_head: [{ id: 1, seq: 1 }],
    catalogue: [{ id: 1, version: 7 }],
    daily_stats: [
      { ...PRINTED, revenue_paise: 5_400, cancelled: 0 },
      { ...PRINTED, shop_id: "*", revenue_paise: 5_400, cancelled: 0 },
    ],
    daily_option_stats: [
      { ...PRINTED, kind: "printedColours", name: "Black & White", amount_paise: 300 },
      { ...PRINTED, shop_id: "*", kind: "printedColours", name: "Black & White", amount_paise: 300 },
    ],
    outbox: [
      {
        id: "mail",
        kind: "order-placed",
        recipient: OLD_STUDENT.email,
        reply_to: null,
        subject: "We have your order",
        content: null,
        text_body: "Thank you",
        html_body: "<p>Thank you</p>",
        images: null,
        secret: 0,
        attempts: 1,
        due_at: AT,
        leased_until: null,
        created_at: AT,
        sent_at: AT,
        failed_at: null,
        last_error: null,
      },
    ],
    mail_refusals: [{ user_id: "zoe", kind: "delivered" }],
    order_mails: [{ order_id: OLD_ORDER.id, state: "placed", mail_id: null, created_at: AT }],
    contact_messages: [
      {
        id: "message",
        full_name: "Zoë Fernandes",
        email: OLD_STUDENT.email,
        subject: "Opening hours",
        message: "Are you open on Sundays?",
        created_at: AT,
        state: "read",
        state_by: "ravi",
        state_at: AT,
      },
    ],
    shop_staff: [{ user_id: "ravi", shop_id: "lamp-post", created_at: AT }],
    staff_invitations: [
      {
        id: "invitation",
        email: "meera@store.example",
        role: "owner",
        token_hash: "invitation-hash",
        invited_by: "ravi",
        created_at: AT,
        expires_at: LATER,
      },
    ],
    staff_invitation_shops: [{ invitation_id: "invitation", shop_id: "lamp-post" }],
    audit_log: [
      {
        id: "entry",
        created_at: AT,
        by_user_id: "ravi",
        by_name: "Ravi Menon",
        by_email: "ra•••@store.example",
        action: "shop.create",
        subject_id: "lamp-post",
        subject_name: OLD_SHOP.name,
        shop_id: "lamp-post",
        before: null,
        after: JSON.stringify({ shopName: OLD_SHOP.name }),
        search_text: "ravi menon lamp post prints",
      },
    ],
    rate_limits: [{ key: "loginAccount:hash", points: 3, expires_at: LATER }],
    store_facts: [{ name: "demo-seed", value: AT }],
  };
}
