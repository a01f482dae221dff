import { paragraph } from "../mail/blocks.ts";
import type { Mail } from "../mail/mail.service.ts";

/** Tells the e-mail that a shop had that its orders go to another one now. It does not reveal the new one. */
export function ordersMovedMail(
  to: string,
  { shopName, contactUrl }: { shopName: string; contactUrl: string },
): Mail {
  const subject = `Orders of ${shopName} go to another email now`;
  return {
    kind: "shop-email",
    to,
    subject,
    content: {
      title: subject,
      blocks: [
        paragraph(
          `Somebody on the staff of ${shopName} has changed its email. New orders, with the students' files, are mailed to the new one.`,
        ),
        paragraph("If that is right, there is nothing to do. If it is not, write to us now:"),
        { kind: "button", label: "Contact us", url: contactUrl },
      ],
      footer: `You are receiving this email because it was the email of ${shopName} at Print Store.`,
    },
  };
}
