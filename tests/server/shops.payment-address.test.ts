import { describe, expect, test } from "vitest";
import { indianTime } from "#shared/indian-time.ts";
import { confirmShopEmail, mailsTo, undoLinkTo } from "../factories/mails.ts";
import { expectDone, importSeed, shownShop } from "../factories/shops.ts";
import {
  changeStaff,
  logInAgain,
  type StaffPerson,
  signedInAdmin,
  signedInCounter,
  signedInOwner,
} from "../factories/staff.ts";
import { tempStore, testStore } from "../setup/test-store.ts";

const store = testStore();

interface Setting {
  shop: Awaited<ReturnType<typeof shownShop>>;
  admin: StaffPerson;
  thief: StaffPerson;
  partner: StaffPerson;
  counter: StaffPerson;
}

/** A shop with a UPI ID and two owners, one of whom has a stolen session. */
async function setting(): Promise<Setting> {
  const admin = await signedInAdmin(store);
  const shop = await shownShop(admin.visitor, undefined, { upiId: "asha.rao@okbank" });
  return {
    shop,
    admin,
    thief: await signedInOwner(store, [shop.id]),
    partner: await signedInOwner(store, [shop.id]),
    counter: await signedInCounter(store, [shop.id]),
  };
}

async function change({ shop }: Pick<Setting, "shop">, { visitor }: StaffPerson, upiId: string) {
  const { id: shopId, ...details } = shop;
  const { version } = expectDone(await visitor.query("shops.admin.byId", { shopId }));
  return visitor.mutate("shops.admin.update", { ...details, upiId, shopId, version });
}

const addressOf = async ({ shop }: Setting) => {
  const query = store.deps.readDb.selectFrom("shops").select("upi_id").where("id", "=", shop.id);
  return (await query.executeTakeFirstOrThrow()).upi_id;
};

const linkTo = ({ person }: StaffPerson) => undoLinkTo(store, person.email);

/** The newest mail to this person about a payment address. */
async function mailAbout({ person }: StaffPerson, word: string) {
  const mails = await mailsTo(store, person.email);
  return mails.filter(({ subject }) => subject.includes("UPI ID") && subject.includes(word));
}

const oneLine = (text = "") => text.replaceAll(/\s+/g, " ");

const undo = (path: string) => store.visitor().send("POST", path);

test("a new payment address is mailed to every owner and admin, with the old one masked, and to nobody else", async () => {
  const at = await setting();
  const elsewhere = await shownShop(at.admin.visitor);
  const [stranger, left] = [
    await signedInOwner(store, [elsewhere.id]),
    await signedInOwner(store, [elsewhere.id]),
  ];
  const clerk = await signedInCounter(store, [at.shop.id]);
  for (const { userId } of [left, clerk])
    expectDone(await at.admin.visitor.mutate("staff.remove", { userId }));
  expect((await change(at, at.thief, "thief@okbank")).status).toBe(200);
  for (const concerned of [at.thief, at.partner, at.admin]) {
    const [mail] = await mailAbout(concerned, at.shop.shopName);
    expect(mail?.subject).toBe(`New UPI ID of ${at.shop.shopName}`);
    expect(mail?.text).toContain("a•••o@okbank");
    expect(mail?.text).not.toContain("asha.rao@okbank");
    expect(mail?.text).toContain("thief@okbank");
    expect(mail?.text).toContain(`Changed by: ${at.thief.person.fullName}, ${at.thief.person.email}\n`);
    const changedAt = store.clock.now().getTime();
    expect(mail?.text).toContain(`When: ${indianTime(new Date(changedAt).toISOString())}\n`);
    const until = indianTime(new Date(changedAt + 24 * 60 * 60_000).toISOString());
    expect(mail?.text).toContain(`works once, until ${until}.`);
  }
  for (const other of [at.counter, stranger, left, clerk]) expect(await mailAbout(other, "")).toEqual([]);
  const { id: shopId, ...details } = at.shop;
  const saved = { ...details, upiId: "thief@okbank", college: "Another", shopId, version: 2 };
  expectDone(await at.partner.visitor.mutate("shops.admin.update", saved));
  expect((await mailAbout(at.partner, "")).length).toBe(1);
});

test("opening the undo link changes nothing; its button undoes once and logs out who made the change", async () => {
  const at = await setting();
  const other = await shownShop(at.admin.visitor, undefined, { upiId: "bystander@okbank" });
  const bystander = { ...at, shop: other, thief: at.admin };
  await change(bystander, at.admin, "bystander2@okbank");
  await change(at, at.thief, "thief@okbank");
  const link = await linkTo(at.partner);
  for (let scan = 0; scan < 3; scan++) {
    const page = await store.visitor().get(link);
    expect([page.status, page.body]).toEqual([200, expect.stringContaining("a•••o@okbank")]);
    expect(page.headers.get("Cache-Control")).toBe("no-store");
    await store.visitor().send("HEAD", link);
  }
  expect(await addressOf(at)).toBe("thief@okbank");

  const done = await undo(link);

  expect([done.status, done.body]).toEqual([200, expect.stringContaining("The change is undone")]);
  expect(await addressOf(at)).toBe("asha.rao@okbank");
  expect(await addressOf(bystander)).toBe("bystander2@okbank");
  expect((await at.admin.visitor.query("staff.myShops")).status).toBe(200);
  expect((await at.thief.visitor.query("staff.myShops")).status).toBe(401);
  expect((await at.partner.visitor.query("staff.myShops")).status).toBe(200);
  const [restored, ...more] = await mailAbout(at.partner, "restored");
  expect(more).toEqual([]);
  expect(restored?.text).toContain("Students pay at a•••o@okbank again");
  const loggedOut = `${at.thief.person.fullName} changed it. We ended all their sessions.`;
  expect(oneLine(restored?.text)).toContain(loggedOut);
  const { body } = await at.partner.visitor.query("audit.list", { search: "UPI ID" });
  expect(body.result.data.rows[0]).toMatchObject({
    action: "shop.undoPayment",
    before: { upiId: "thief@okbank" },
    after: { upiId: "asha.rao@okbank", loggedOut: at.thief.person.fullName },
  });
  expect((await store.visitor().get(link)).status).toBe(404);
});

test("pressed again, the button undoes nothing more but says that it is done, until the address changes", async () => {
  const at = await setting();
  await change(at, at.thief, "thief@okbank");
  const link = await linkTo(at.partner);
  const answers = [...(await Promise.all([undo(link), undo(link)])), await undo(link)];
  for (const { status, body } of answers) {
    expect([status, body]).toEqual([200, expect.stringContaining("The change is undone")]);
  }
  expect(await mailAbout(at.partner, "restored")).toHaveLength(1);
  store.clock.advance({ seconds: 1 });
  await change(at, at.admin, "new@okbank");
  expect((await undo(link)).status).toBe(404);
  expect(await addressOf(at)).toBe("new@okbank");
  store.clock.advance({ seconds: 1 });
  expect((await undo(await linkTo(at.partner))).status).toBe(200);
  const [restored] = await mailAbout(at.partner, "restored");
  expect(oneLine(restored?.text)).toContain(`again. ${at.admin.person.fullName} changed it.`);
});

test("the link of the first change restores the address before it, and ends the later links", async () => {
  const at = await setting();
  await change(at, at.thief, "thief@okbank");
  const first = await linkTo(at.partner);
  store.clock.advance({ seconds: 1 });
  await change(at, at.thief, "second.thief@okbank");
  const second = await linkTo(at.partner);
  expect(second).not.toBe(first);
  expect((await undo(first)).status).toBe(200);
  expect(await addressOf(at)).toBe("asha.rao@okbank");
  await change(at, at.partner, "right@okbank");
  expect((await undo(second)).status).toBe(404);
  expect(await addressOf(at)).toBe("right@okbank");
});

test("an edit of the shop meanwhile does not bring the new address back", async () => {
  const at = await setting();
  await change(at, at.thief, "thief@okbank");
  const { id: shopId, ...details } = at.shop;
  const { version } = expectDone(await at.partner.visitor.query("shops.admin.byId", { shopId }));
  await undo(await linkTo(at.partner));
  const saved = await at.partner.visitor.mutate("shops.admin.update", {
    ...details,
    upiId: "thief@okbank",
    shopId,
    version,
  });
  expect(saved.status).toBe(409);
  expect(saved.body.error.message).toContain(at.partner.person.fullName);
  expect(await addressOf(at)).toBe("asha.rao@okbank");
});

test("the link works for 24 hours, and no other token does", async () => {
  const at = await setting();
  await change(at, at.thief, "thief@okbank");
  const link = await linkTo(at.partner);
  expect((await undo("/payment-address?token=guess")).status).toBe(404);
  expect((await undo("/payment-address")).status).toBe(404);
  store.clock.advance({ hours: 24, ms: -1 });
  expect((await store.visitor().get(link)).status).toBe(200);
  store.clock.advance({ ms: 1 });
  expect((await store.visitor().get(link)).status).toBe(404);
  expect((await undo(link)).status).toBe(404);
  expect(await addressOf(at)).toBe("thief@okbank");
});

test("a link belongs to one person, whom the audit log names", async () => {
  const at = await setting();
  await change(at, at.admin, "new@okbank");
  const [former, own] = [await linkTo(at.thief), await linkTo(at.partner)];
  expect(former).not.toBe(own);
  expect((await store.visitor().get(former)).status).toBe(200);
  const forged = former.replace(at.thief.userId, at.partner.userId);
  expect(forged).not.toBe(former);
  expect((await undo(forged)).status).toBe(404);
  expect(await addressOf(at)).toBe("new@okbank");

  expect((await undo(own)).status).toBe(200);
  const { body } = await at.partner.visitor.query("audit.list", { search: "UPI ID" });
  expect(body.result.data.rows[0]).toMatchObject({
    action: "shop.undoPayment",
    by: { name: `${at.partner.person.fullName}, with an emailed link` },
  });
});

describe("an owner or admin of the last 24 hours", () => {
  test("is mailed and can undo, even if a thief has removed them first, or moved them to another shop", async () => {
    const at = await setting();
    const otherAdmin = await signedInAdmin(store);
    const moved = await signedInOwner(store, [at.shop.id]);
    const elsewhere = { role: "owner", shopIds: [(await shownShop(at.admin.visitor)).id] };
    expectDone(await changeStaff(at.admin.visitor, moved.userId, elsewhere));
    expectDone(await at.admin.visitor.mutate("staff.remove", { userId: at.partner.userId }));
    const counter = { role: "counter", shopIds: [at.shop.id] };
    for (const { userId } of [otherAdmin, at.thief])
      expectDone(await changeStaff(at.admin.visitor, userId, counter));
    store.clock.advance({ hours: 24, ms: -1 });
    await logInAgain(at.admin);
    await change(at, at.admin, "thief@okbank");
    for (const former of [otherAdmin, at.thief, moved])
      expect((await mailAbout(former, "New")).length).toBe(1);
    const link = await linkTo(at.partner);
    store.clock.advance({ hours: 24, ms: -1 });
    // Old records of former staff are deleted when somebody else leaves.
    await logInAgain(at.admin);
    expectDone(await at.admin.visitor.mutate("staff.remove", { userId: at.counter.userId }));
    expect((await undo(link)).status).toBe(200);
    expect(await addressOf(at)).toBe("asha.rao@okbank");
    expect((await at.admin.visitor.query("staff.myShops")).status).toBe(401);
  });

  test("is not mailed after that", async () => {
    const at = await setting();
    expectDone(await at.admin.visitor.mutate("staff.remove", { userId: at.partner.userId }));
    store.clock.advance({ hours: 24 });
    await logInAgain(at.admin);
    await change(at, at.admin, "new@okbank");
    expect(await mailAbout(at.partner, "New")).toEqual([]);
  });

  test.each([
    ["gets no link back to an address they entered themselves", -1, 0],
    ["gets one if they entered it 30 days ago or earlier", 0, 1],
  ])("%s", async (_title, ms, mails) => {
    const at = await setting();
    await change(at, at.thief, "thief@okbank");
    store.clock.advance({ days: 30, ms });
    await logInAgain(at.admin);
    expectDone(await at.admin.visitor.mutate("staff.remove", { userId: at.thief.userId }));
    const before = (await mailAbout(at.thief, "New")).length;
    await change(at, at.admin, "asha.rao@okbank");
    expect((await mailAbout(at.thief, "New")).length).toBe(before + mails);
    expect((await mailAbout(at.partner, "New")).length).toBe(2);
  });
});

describe("an undo restores the last address that was valid for 24 hours", () => {
  test("even by the link of a correction to yet another address, whoever presses it", async () => {
    const at = await setting();
    await change(at, at.thief, "thief@okbank");
    const first = await linkTo(at.partner);
    store.clock.advance({ hours: 24, ms: -1 });
    await logInAgain(at.admin);
    await change(at, at.admin, "right2@okbank");
    const page = await store.visitor().get(await linkTo(at.thief));
    expect(page.body).toContain("a•••o@okbank");
    expect((await undo(await linkTo(at.thief))).status).toBe(200);
    expect(await addressOf(at)).toBe("asha.rao@okbank");
    expect((await undo(first)).status).toBe(404);
  });

  test("whichever link is pressed, and logs out everyone who made a change", async () => {
    const at = await setting();
    await change(at, at.thief, "thief@okbank");
    store.clock.advance({ seconds: 1 });
    await change(at, at.admin, "second.thief@okbank");
    expect((await undo(await linkTo(at.partner))).status).toBe(200);
    expect(await addressOf(at)).toBe("asha.rao@okbank");
    for (const { visitor } of [at.thief, at.admin]) {
      expect((await visitor.query("staff.myShops")).status).toBe(401);
    }
  });

  test("and ignores addresses that were changed within a day", async () => {
    const at = await setting();
    for (const upiId of ["one@okbank", "two@okbank", "three@okbank"]) {
      await logInAgain(at.thief);
      await change(at, at.thief, upiId);
      store.clock.advance({ hours: 24, ms: -1 });
    }
    expect((await undo(await linkTo(at.partner))).status).toBe(200);
    expect(await addressOf(at)).toBe("asha.rao@okbank");
  });

  test("and restores an address that nobody undid within a day", async () => {
    const at = await setting();
    await change(at, at.admin, "new@okbank");
    store.clock.advance({ hours: 24 });
    await logInAgain(at.admin, at.thief);
    await change(at, at.thief, "thief@okbank");
    expect((await undo(await linkTo(at.partner))).status).toBe(200);
    expect(await addressOf(at)).toBe("new@okbank");
    expect((await at.admin.visitor.query("staff.myShops")).status).toBe(200);
    const [restored] = await mailAbout(at.partner, "restored");
    expect(oneLine(restored?.text)).toContain(`again. ${at.thief.person.fullName} changed it.`);
  });
});

test("a person may change a shop's address five times a day, not counting a return to the old one", async () => {
  const limited = await tempStore({ RATE_LIMIT_SCALE: "1" });
  const admin = await signedInAdmin(limited);
  const shop = await shownShop(admin.visitor, undefined, { upiId: "asha.rao@okbank" });
  const [thief, partner] = [await signedInOwner(limited, [shop.id]), await signedInOwner(limited, [shop.id])];
  const statuses: number[] = [];
  for (let flip = 0; flip < 7; flip++) {
    statuses.push((await change({ shop }, thief, `thief${flip}@okbank`)).status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  const mails = await mailsTo(limited, partner.person.email);
  expect(mails.filter(({ kind }) => kind === "payment-address")).toHaveLength(5);
  expect((await change({ shop }, thief, "asha.rao@okbank")).status).toBe(200);
  expect((await change({ shop }, partner, "right@okbank")).status).toBe(200);
});

describe("an owner who is the thief", () => {
  test("gets links back only: after an undo they need the password, and can be undone again", async () => {
    const at = await setting();
    await change(at, at.thief, "thief@okbank");
    const stolen = await linkTo(at.thief);
    expect((await undo(await linkTo(at.partner))).status).toBe(200);
    expect((await undo(stolen)).status).toBe(404);
    expect((await change(at, at.partner, "asha.rao@okbank")).status).toBe(200);

    await logInAgain(at.thief);
    store.clock.advance({ minutes: 10 });
    const refused = await change(at, at.thief, "thief@okbank");
    expect(refused.body.error.data.appCode).toBe("CONFIRMATION_REQUIRED");
    await at.thief.visitor.mutate("accounts.confirm", { password: at.thief.person.password });
    expect((await change(at, at.thief, "thief@okbank")).status).toBe(200);
    store.clock.advance({ hours: 23, minutes: 59 });
    expect((await undo(await linkTo(at.partner))).status).toBe(200);
    expect(await addressOf(at)).toBe("asha.rao@okbank");
  });

  test("gets no link to their own address when another owner restores the old one by hand", async () => {
    const at = await setting();
    await change(at, at.thief, "thief@okbank");
    store.clock.advance({ seconds: 1 });
    await change(at, at.thief, "second.thief@okbank");
    const links = [await linkTo(at.thief)];
    const before = (await mailAbout(at.thief, "New")).length;

    expect((await change(at, at.partner, "asha.rao@okbank")).status).toBe(200);

    expect((await mailAbout(at.thief, "New")).length).toBe(before);
    expect((await mailAbout(at.admin, "restored")).length).toBe(1);
    expect((await at.thief.visitor.query("staff.myShops")).status).toBe(401);
    expect((await at.partner.visitor.query("staff.myShops")).status).toBe(200);
    for (const link of links) expect((await undo(link)).status).toBe(404);
    expect(await addressOf(at)).toBe("asha.rao@okbank");
  });
});

test("a person who reverts their own change by hand stays logged in", async () => {
  const at = await setting();
  await change(at, at.partner, "asha.roa@okbank");
  expect((await change(at, at.partner, "asha.rao@okbank")).status).toBe(200);
  expect((await at.partner.visitor.query("staff.myShops")).status).toBe(200);
  const [mail] = await mailAbout(at.admin, "restored");
  expect(mail?.text).toContain("undid the change");
  expect(mail?.text).not.toContain("sessions");
});

test("undoing the first UPI ID of a shop says that it takes no online payments", async () => {
  const at = await setting();
  expectDone(await change(at, at.admin, ""));
  const [removal] = await mailAbout(at.partner, "New");
  expect(removal?.text).toContain("Now: none: students pay on delivery or pickup\n");
  store.clock.advance({ hours: 24 });
  await logInAgain(at.admin, at.thief);
  await change(at, at.thief, "thief@okbank");
  const link = await linkTo(at.admin);
  const asked = await store.visitor().get(link);
  expect(asked.body).toContain("Students will pay on delivery or pickup again");
  const done = await undo(link);
  expect(done.body).toMatch(/Students pay .* on delivery or pickup again/);
  const [mail] = await mailAbout(at.admin, "restored");
  expect(mail?.text).toContain("Students pay on delivery or pickup again");
  expect(await addressOf(at)).toBe("");
});

test("a seed file imported by an admin sends the same mails about payment addresses and the email for orders", async () => {
  const at = await setting();
  await confirmShopEmail(store, at.shop.email);
  const { file } = expectDone(await at.admin.visitor.query("seeding.export"));
  file.shops = file.shops.filter(({ id }: { id: string }) => id === at.shop.id);
  file.shops[0].upiId = "";
  file.shops[0].email = "seeded@shops.example";
  expectDone(await importSeed(at.admin.visitor, file));
  const told = (await mailsTo(store, at.shop.email)).map(({ kind }) => kind);
  expect(told.toSorted()).toEqual(["shop-email", "shop-email-confirm"]);
  await undo(await linkTo(at.partner));
  expect(await addressOf(at)).toBe("asha.rao@okbank");
});
