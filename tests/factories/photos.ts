import sharp, { type Sharp } from "sharp";

const WIDTH = 3000;
const HEIGHT = 2000;

/** The left half red, the right half blue. */
export function twoColours(): Sharp {
  const blue = { create: { width: WIDTH / 2, height: HEIGHT, channels: 3, background: "blue" } } as const;
  return sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: "red" } }).composite([
    { input: blue, left: WIDTH / 2, top: 0 },
  ]);
}

/** A photo by a phone held upright: stored sideways, with an EXIF note to rotate it. */
export function sidewaysPhoto(): Promise<Buffer> {
  return twoColours().withMetadata({ orientation: 6 }).jpeg().toBuffer();
}

/** A fully transparent picture of 300 × 200 pixels. */
export function transparentPicture(): Promise<Buffer> {
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  return sharp({ create: { width: 300, height: 200, channels: 4, background } })
    .png()
    .toBuffer();
}
