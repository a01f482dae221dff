import { Readable } from "node:stream";
import { AppError } from "../errors.ts";
import { uploadBody } from "../upload-body.ts";

/**
 * The body of a file's upload, as a stream of Node's: the REST adapter hands one over, and a tRPC client's bytes are read
 * as one. Whatever ends those early is the sender's failure.
 */
export const fileBody: {
  _input: typeof uploadBody._input | Readable;
  _output: Readable;
  parse(input: unknown): Readable;
} = {
  ...uploadBody,
  // Only its type is of interest.
  _output: null as never,
  parse(input) {
    if (input instanceof Readable) return input;
    return Readable.from(arriving(uploadBody.parse(input)), { objectMode: false });
  },
};

async function* arriving(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw new AppError("BAD_REQUEST", "The upload broke off. Please upload the file again", { cause: error });
  }
}
