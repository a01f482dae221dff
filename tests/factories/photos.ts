import { crc32, deflateSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";

/** The left half red, the right half blue, in the shape of a photo; a large one takes long to make and to read. */
export function twoColours(width = 960): Sharp {
  const height = (width * 2) / 3;
  const blue = { create: { width: width / 2, height, channels: 3, background: "blue" } } as const;
  return sharp({ create: { width, height, channels: 3, background: "red" } }).composite([
    { input: blue, left: width / 2, top: 0 },
  ]);
}

/** A photo by a phone held upright: stored sideways, with an EXIF note to rotate it. */
export function sidewaysPhoto(width?: number): Promise<Buffer> {
  return twoColours(width).withMetadata({ orientation: 6 }).jpeg().toBuffer();
}

/** A fully transparent picture of 300 × 200 pixels. */
export function transparentPicture(): Promise<Buffer> {
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  return sharp({ create: { width: 300, height: 200, channels: 4, background } })
    .png()
    .toBuffer();
}

/** A black square of so many pixels a side, with one bit for each: even a large one is made quickly. */
export function blackPng(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 1;
  const rows = Buffer.alloc(side * (1 + Math.ceil(side / 8)));
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([
    signature,
    pngChunk("IHDR", header),
    pngChunk("IDAT", deflateSync(rows)),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

export function pngChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
