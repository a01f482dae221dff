import { type MailBlock, paragraph } from "../../mail/blocks.ts";
import type { Mail } from "../../mail/mail.service.ts";
import { ASK_SHOP, consoleButton, type MailedOrder, shopMail, studentMail } from "../mail-content.ts";

interface ReportMail extends MailedOrder {
  reason: string;
  /** Number of photos. */
  photos: number;
  publicUrl: string;
}

/** Mail to the shop about a reported error. It has no photos; the console shows them. */
export function reportedMail({ reason, photos, publicUrl, ...order }: ReportMail): Mail {
  const { id, number, student } = order;
  const facts = [
    { label: "What is wrong", value: reason },
    { label: "Photos", value: photos === 0 ? "None" : String(photos) },
  ];
  const blocks: MailBlock[] = [
    paragraph(
      `${student.fullName} reports a printing error in order ${number}. Please accept or decline a reprint in the console. Reply to this email to reach the student.`,
    ),
    { kind: "facts", title: "The report", facts },
    consoleButton(publicUrl, id),
  ];
  return shopMail(order, { kind: "reprint-reported", subject: `Printing error in order ${number}`, blocks });
}

interface AnswerMail extends MailedOrder {
  accepted: boolean;
  answer: string;
}

/** Mail to the student with the shop's answer. It cannot be switched off, because the student asked. */
export function answeredMail({ accepted, answer, ...order }: AnswerMail): Mail {
  const { number, shop, student, orderUrl } = order;
  const subject = accepted ? `Order ${number} will be reprinted` : `Order ${number} will not be reprinted`;
  const next = accepted
    ? "Your files were deleted after printing, so please upload them again on your order's page. The reprint is free."
    : ASK_SHOP;
  const blocks: MailBlock[] = [
    paragraph(
      `Hello ${student.fullName}, ${shop.name} has ${accepted ? "accepted" : "declined"} a reprint of order ${number}.`,
    ),
    { kind: "facts", title: "The answer", facts: [{ label: "The shop writes", value: answer }] },
    paragraph(next),
    { kind: "button", label: accepted ? "Upload the files again" : "See your order", url: orderUrl },
  ];
  const footer = "You are receiving this email because you reported a printing error.";
  const kind = accepted ? "reprint-accepted" : "reprint-declined";
  return studentMail(order, { kind, subject, blocks, footer });
}
