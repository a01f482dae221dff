import { PDFDocument } from "@cantoo/pdf-lib";
import { writePdf } from "./pdf-writer.ts";
import { plainObjects } from "./pdfs.ts";

type Algorithm = NonNullable<Parameters<PDFDocument["encrypt"]>[0]["algorithm"]>;

interface Passwords {
  /** The password that opens the document. */
  user?: string;
  /** The password that changes its permissions. */
  owner?: string;
}

export async function encryptedPdf(
  pages: number,
  algorithm: Algorithm,
  { user, owner }: Passwords,
): Promise<Buffer> {
  const document = await PDFDocument.create();
  for (let page = 0; page < pages; page++) document.addPage();
  document.encrypt({ algorithm, allowWeakCryptography: true, userPassword: user, ownerPassword: owner });
  return Buffer.from(await document.save());
}

/** A document encrypted by a proprietary handler, which only its vendor's reader opens. */
export function pdfOfUnknownHandler(): Buffer {
  const handler = "<< /Filter /AcmeRights /V 4 /Length 128 /R 9 >>";
  const objects = { ...plainObjects(1), 4: handler };
  const id = "0123456789abcdef0123456789abcdef";
  return writePdf(objects, { trailer: `/Encrypt 4 0 R /ID [<${id}> <${id}>]` });
}
