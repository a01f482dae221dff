import fc from "fast-check";
import { plainPdf } from "../factories/pdfs.ts";
import { oddText } from "./odd-values.ts";
import type { RawRequest } from "./raw-client.ts";

const sound = plainPdf(2);

const contents = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Uint8Array>(sound) },
  fc.uint8Array({ maxLength: 300 }),
  fc.nat(sound.length).map((length) => sound.subarray(0, length)),
  fc.uint8Array({ maxLength: 60 }).map((tail) => Buffer.concat([Buffer.from("%PDF-1.7\n"), tail])),
);

interface Part {
  field: string;
  fileName: string | null;
  type: string;
  content: Uint8Array;
}

const parts: fc.Arbitrary<Part> = fc.record({
  field: fc.oneof({ weight: 4, arbitrary: fc.constantFrom("file", "upload_preset") }, oddText),
  fileName: fc.oneof({ weight: 3, arbitrary: fc.constant("notes.pdf") }, fc.constant(null), oddText),
  type: fc.oneof({ weight: 3, arbitrary: fc.constant("application/pdf") }, oddText),
  content: contents,
});

const rightParts: fc.Arbitrary<Part[]> = contents.map((content) => [
  { field: "upload_preset", fileName: null, type: "text/plain", content: Buffer.from("documents") },
  { field: "file", fileName: "notes.pdf", type: "application/pdf", content },
]);

/** Multipart forms: valid ones, ones with too much or too little, and truncated ones. */
export const uploadBodies: fc.Arbitrary<Pick<RawRequest, "headers" | "body">> = fc
  .record({
    form: fc.oneof({ weight: 2, arbitrary: rightParts }, fc.array(parts, { maxLength: 4 })),
    boundary: fc.oneof(
      { weight: 8, arbitrary: fc.constant("line") },
      fc.constantFrom('"li ne"', "", "x".repeat(80)),
    ),
    declared: fc.oneof({ weight: 8, arbitrary: fc.constant(null) }, fc.constantFrom("other", "", '"')),
    keep: fc.oneof(
      { weight: 4, arbitrary: fc.constant(1) },
      fc.noBias(fc.nat(100)).map((percent) => percent / 100),
    ),
  })
  .map(({ form, boundary, declared, keep }) => {
    const whole = write(form, boundary.replaceAll('"', ""));
    return {
      headers: { "Content-Type": `multipart/form-data; boundary=${declared ?? boundary}` },
      body: whole.subarray(0, Math.round(whole.length * keep)),
    };
  });

function write(form: Part[], boundary: string): Buffer {
  const written = form.flatMap(({ field, fileName, type, content }) => {
    const name = fileName === null ? "" : `; filename="${fileName}"`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"${name}\r\nContent-Type: ${type}\r\n\r\n`;
    return [Buffer.from(head), content, Buffer.from("\r\n")];
  });
  return Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)]);
}
