import type { IncomingMessage, ServerResponse } from "node:http";

/** A file as UploadThing has it. */
export interface RemoteFile {
  /** Where its bytes are on this machine. */
  path: string;
  /** What the upload promised. */
  size: number;
  /** How much of it has arrived. */
  arrived: number;
  type: string;
  acl: string;
  disposition: string;
  name: string;
}

/** One app at the emulated UploadThing. */
export interface RemoteApp {
  readonly apiKey: string;
  readonly appId: string;
  readonly origin: string;
  /** Where the bytes of its files lie. */
  readonly folder: string;
  /** By UploadThing's names for them. */
  readonly files: Map<string, RemoteFile>;
}

/** What breaks in the middle of a request: its line, or the flow of bytes on it. */
export type Break = "cut" | "stall";

export interface Exchange {
  app: RemoteApp;
  request: IncomingMessage;
  response: ServerResponse;
  /** What is to break in it. */
  breaks: Break | undefined;
}

/** Answers a failure as UploadThing does, in JSON; what still comes of the request is passed over. */
export function refuse({ request, response }: Exchange, status: number, message: string): void {
  request.resume();
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ error: message }));
}
