import { buffer } from "node:stream/consumers";
import PDFDocument from "pdfkit";
import { writePdf } from "./pdf-writer.ts";
import { plainObjects } from "./pdfs.ts";

/** pdfkit encrypts by what the document's version of PDF has. */
const VERSIONS = { "RC4-40": "1.3", "RC4-128": "1.4", "AES-128": "1.6", "AES-256": "1.7ext3" } as const;

interface Passwords {
  /** The password that opens the document. */
  user?: string;
  /** The password that changes its permissions. */
  owner?: string;
}

export async function encryptedPdf(
  pages: number,
  algorithm: keyof typeof VERSIONS,
  { user, owner }: Passwords,
): Promise<Buffer> {
  const document = new PDFDocument({
    autoFirstPage: false,
    size: "A4",
    pdfVersion: VERSIONS[algorithm],
    userPassword: user,
    ownerPassword: owner,
  });
  for (let page = 0; page < pages; page++) document.addPage();
  document.end();
  return buffer(document);
}

/** A document encrypted by a proprietary handler, which only its vendor's reader opens. */
export function pdfOfUnknownHandler(): Buffer {
  const handler = "<< /Filter /AcmeRights /V 4 /Length 128 /R 9 >>";
  const objects = { ...plainObjects(1), 4: handler };
  const id = "0123456789abcdef0123456789abcdef";
  return writePdf(objects, { trailer: `/Encrypt 4 0 R /ID [<${id}> <${id}>]` });
}
