import { z } from "zod";
import { GST_RATES, isGstin } from "../gst.ts";
import { cleanText, idField } from "./fields.ts";

/** Without its GSTIN a shop issues no tax invoices; the rest is kept for when it comes back. */
export const saveTaxInput = z
  .object({
    shopId: idField,
    /** The settings that were changed; without them these replace whatever is saved. */
    base: z
      .object({
        gstin: z.string().max(40),
        legalName: z.string().max(200),
        address: z.string().max(300),
        ratePercent: z.number(),
        sac: z.string().max(8),
        series: z.string().max(3),
      })
      .optional(),
    gstin: z
      .string()
      .max(40)
      .transform((text) => text.replace(/[\s-]/g, "").toUpperCase())
      .refine(
        (text) => text === "" || isGstin(text),
        "This is not a valid GSTIN. Please check each character",
      ),
    legalName: cleanText(200),
    /** The registered address. */
    address: cleanText(300),
    ratePercent: z.literal(GST_RATES),
    sac: z
      .string()
      .trim()
      .regex(/^(\d{4}|\d{6}|\d{8})$/, "A HSN or SAC code has 4, 6 or 8 digits"),
    series: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[A-Z0-9]{1,3}$/, "Invoice numbers begin with 1 to 3 letters or digits"),
  })
  .superRefine(({ gstin, legalName, address }, ctx) => {
    if (gstin === "") return;
    const missing = (path: string, message: string) =>
      ctx.addIssue({ code: "custom", path: [path], message });
    if (legalName === "")
      missing("legalName", "Please enter the legal name that is registered for this GSTIN");
    if (address === "") missing("address", "Please enter the address that is registered for this GSTIN");
  });

export type SaveTaxInput = z.infer<typeof saveTaxInput>;
