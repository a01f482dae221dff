import sharp, { type Sharp } from "sharp";

const WIDTH = 3000;
const HEIGHT = 2000;

/** Red on its left half and blue on its right. */
export function twoColours(): Sharp {
  const blue = { create: { width: WIDTH / 2, height: HEIGHT, channels: 3, background: "blue" } } as const;
  return sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: "red" } }).composite([
    { input: blue, left: WIDTH / 2, top: 0 },
  ]);
}

/** A photo as a phone held upright takes it: stored lying, with the note that it is to be turned to the right. */
export function sidewaysPhoto(): Promise<Buffer> {
  return twoColours().withMetadata({ orientation: 6 }).jpeg().toBuffer();
}

/** A picture of 300 × 200 pixels that nothing is drawn on. */
export function transparentPicture(): Promise<Buffer> {
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  return sharp({ create: { width: 300, height: 200, channels: 4, background } })
    .png()
    .toBuffer();
}
