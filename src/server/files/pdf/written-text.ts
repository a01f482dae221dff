/** Looks at all that PDFium writes, piece by piece. */
export interface WrittenText {
  see(bytes: Uint8Array): void;
  isFound(): boolean;
}

/** What is looked for is shorter, however it falls on two pieces. */
const OVERLAP_BYTES = 128;
const LAYER = "/OCG";
/**
 * A layer that is off in what says how a document opens or prints, or something that shows by a rule. PDFium writes streams
 * packed and names plain, so that hardly anything else looks like it.
 */
const HIDDEN =
  /\/OFF\s*\[?\s*\d+ \d+ R|\/(?:BaseState|PrintState)\s*\/OFF|\/P\s*\/(?:AllOff|AnyOff)|\/VE\s*[[\d]/;

/** Whether something belongs to layers. */
export function layerText(): WrittenText {
  return textWhere((bytes) => bytes.includes(LAYER));
}

/** Whether some layer may not be printed. */
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
      // Both ends are copied, and nothing else: there may be a hundred megabytes.
      const seam = Buffer.concat([before, piece.subarray(0, OVERLAP_BYTES)]);
      isFound = isIn(seam) || isIn(piece);
      before = Buffer.concat([before, piece.subarray(-OVERLAP_BYTES)]).subarray(-OVERLAP_BYTES);
    },
    isFound: () => isFound,
  };
}
