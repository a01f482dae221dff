import type { IncomingMessage, ServerResponse } from "node:http";

/** A file as UploadThing stores it. */
export interface RemoteFile {
  /** The path of its bytes on this machine. */
  path: string;
  /** The size that the upload announced. */
  size: number;
  /** The number of bytes that have arrived. */
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
  /** The folder with the bytes of its files. */
  readonly folder: string;
  /** By UploadThing's file key. */
  readonly files: Map<string, RemoteFile>;
}

/** How a request breaks midway: its connection is cut, or its bytes stop; or what was uploaded is not what is stored. */
export type Break = "cut" | "stall" | "garble";

export interface Exchange {
  app: RemoteApp;
  request: IncomingMessage;
  response: ServerResponse;
  /** How the request is to break, if at all. */
  breaks: Break | undefined;
}

/** Responds with an error in UploadThing's JSON format and discards the rest of the request. */
export function refuse({ request, response }: Exchange, status: number, message: string): void {
  request.resume();
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ error: message }));
}
