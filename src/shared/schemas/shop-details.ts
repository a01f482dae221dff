import { z } from "zod";
import { asciiDigits } from "../digits.ts";
import { isReadableName } from "../fold-text.ts";
import { formatOpeningHours, parseOpeningHours } from "../opening-hours.ts";
import { isOwnPicture } from "../photos.ts";
import { cleanText, emailField, requiredText, rupeesField } from "./fields.ts";

/** Stars with at most one decimal; parsed to tenths of a star. */
const tenthsField = z
  .number("must be from 0 to 5 with at most one decimal")
  .refine((stars) => stars >= 0 && stars <= 5, "must be from 0 to 5")
  .refine((stars) => Math.abs(stars * 10 - Math.round(stars * 10)) < 1e-6, "must have at most one decimal")
  .transform((stars) => Math.round(stars * 10));

const UPI_ID_PATTERN = /^[a-z0-9][a-z0-9._-]*@[a-z][a-z0-9]+$/i;

/** A UPI ID such as name@bank, or empty. */
export const upiIdField = cleanText(255).refine(
  (upiId) => upiId === "" || UPI_ID_PATTERN.test(upiId),
  "must look like name@bank, or be empty",
);

/** A name that cannot be confused with another by how it looks. */
function nameField(label: string, kept?: string) {
  const message =
    "must be written in Latin letters or in those of an Indian language, each word in one of them";
  return requiredText(label).pipe(
    z.string().refine((name) => name === kept || isReadableName(name), message),
  );
}

function pictureField(kept?: string) {
  const path = kept === "" ? cleanText(500) : requiredText("Shop picture", 500);
  const message = "must be a picture of this store: upload it here instead of giving its address";
  return path
    .pipe(z.string().refine((image) => image === kept || isOwnPicture(image), message))
    .describe("A picture of this store: /shop-images/NAME.svg, or the path of an uploaded photo");
}

interface NameAndPicture {
  shopName: string;
  shopLocation: string;
  shopImage: string;
}

/**
 * The fields whose rules are newer than some shops.
 * @param kept the shop's current values, which stay allowed
 */
export function nameAndPictureFields(kept?: NameAndPicture) {
  return {
    shopName: nameField("Shop name", kept?.shopName),
    shopLocation: nameField("Shop location", kept?.shopLocation),
    shopImage: pictureField(kept?.shopImage),
  };
}

/** A phone number as people write it: 3 to 15 digits, with +, spaces, brackets or dashes. */
const contactNumberField = requiredText("Contact number", 40).pipe(
  z
    .string()
    .overwrite(asciiDigits)
    .refine(
      (text) => /^\+?[\d\s()/-]+$/.test(text) && /^\d{3,15}$/.test(text.replace(/\D/g, "")),
      "must be a phone number",
    ),
);

const MAX_HOURS_LENGTH = 300;

/** Opening hours as people type them, or empty; parsed to the one way in which they are stored, and typed the next time. */
export const openingHoursField = cleanText(MAX_HOURS_LENGTH)
  .transform((text, ctx) => {
    const week = parseOpeningHours(asciiDigits(text));
    if (typeof week !== "string") return formatOpeningHours(week);
    ctx.addIssue({ code: "custom", message: week });
    return z.NEVER;
  })
  .pipe(
    z.string().max(MAX_HOURS_LENGTH, `must be at most ${MAX_HOURS_LENGTH} characters long as they are shown`),
  );

/** For the id of a shop: the console has its form for a new shop at this address. */
export const notNew = [
  (id: string) => id !== "new",
  "must not be “new”, which is the address of the form for a new shop",
] as const;

/** The shop's own details, named as in the contract. */
export const shopDetailFields = {
  ...nameAndPictureFields(),
  college: requiredText("College"),
  ratings: tenthsField.describe("Stars from 0 to 5 with at most one decimal"),
  perPageCost: rupeesField.describe("Shown on the shop's card: rupees a page with at most two decimals"),
  email: emailField,
  contactNumber: contactNumberField,
  upiId: upiIdField
    .default("")
    .describe("Where students pay by UPI, such as name@bank; empty: they pay on delivery"),
  offersPickup: z
    .boolean()
    .default(false)
    .describe("true: students may fetch their orders at the shop, without a delivery fee"),
  separatesFiles: z
    .boolean()
    .default(false)
    .describe("true: its packs have a sheet with the name of each next file between the files of an order"),
  openingHours: openingHoursField
    .default("")
    .describe("Shown to students, such as Mon-Sat 9:00-20:00; Sun 10:00-14:00; may be empty"),
};

export const shopDetails = z.object(shopDetailFields);
/** Parsed: the cost in paise, ratings in tenths of a star. */
export type ShopDetails = z.output<typeof shopDetails>;
