const BATCH = 64 * 1024;

/** Joins texts to longer ones, so that few are handed on. */
export function* inBatches(texts: Iterable<string>): Generator<string> {
  let batch = "";
  for (const text of texts) {
    batch += text;
    if (batch.length < BATCH) continue;
    yield batch;
    batch = "";
  }
  if (batch) yield batch;
}
