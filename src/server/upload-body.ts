import { octetInputParser } from "@trpc/server/http";

/** The body of an upload: what a tRPC client sends as bytes arrives as a stream, as the REST adapter's does. */
export const uploadBody: {
  _input: Blob | Uint8Array | ReadableStream<Uint8Array>;
  _output: ReadableStream<Uint8Array>;
  parse(input: unknown): ReadableStream<Uint8Array>;
} = octetInputParser;
