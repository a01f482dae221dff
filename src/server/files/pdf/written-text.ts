/** Searches the bytes that PDFium writes. */
export interface WrittenText {
  see(bytes: Uint8Array): void;
  isFound(): boolean;
}

/** Longer than any match, which may begin in one piece and end in the next. */
const OVERLAP_BYTES = 128;
const LAYER = "/OCG";
/**
 * A layer that is off when the document opens or prints, or something that shows by a rule. PDFium compresses streams and
 * writes names plainly, so hardly anything else matches.
 */
const HIDDEN =
  /\/OFF\s*\[?\s*\d+ \d+ R|\/(?:BaseState|PrintState)\s*\/OFF|\/P\s*\/(?:AllOff|AnyOff)|\/VE\s*[[\d]/;

/** Finds whether something belongs to a layer. */
export function layerText(): WrittenText {
  return textWhere((bytes) => bytes.includes(LAYER));
}

/** Finds whether a layer may be hidden in print. */
export function hiddenLayerText(): WrittenText {
  return textWhere((bytes) => HIDDEN.test(bytes.toString("latin1")));
}

function textWhere(isIn: (bytes: Buffer) => boolean): WrittenText {
  let before = Buffer.alloc(0);
  let isFound = false;
  return {
    see(bytes) {
      if (isFound) return;
      const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      // Only the ends are copied: the document may have a hundred megabytes.
      const seam = Buffer.concat([before, piece.subarray(0, OVERLAP_BYTES)]);
      isFound = isIn(seam) || isIn(piece);
      before = Buffer.concat([before, piece.subarray(-OVERLAP_BYTES)]).subarray(-OVERLAP_BYTES);
    },
    isFound: () => isFound,
  };
}
