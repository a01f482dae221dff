import { ApiClient } from "../../setup/api-client.ts";

/** Somebody at another address, as a proxy on this machine tells it. */
export class Remote extends ApiClient {
  readonly #address: string;

  constructor(baseUrl: string, address: string) {
    super(baseUrl);
    this.#address = address;
  }

  override fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("X-Forwarded-For", this.#address);
    return super.fetch(path, { ...init, headers });
  }
}

/** What an attack has to work with. */
export interface Target {
  baseUrl: string;
  /** How much of each attack: 1 is the long run. */
  scale: number;
  /** The e-mail of a student who uses the store meanwhile, and logs in again and again. */
  victim: string;
  /** A shop that takes orders, and an admin who prints them. */
  shopId: string;
  staff: Remote;
  /** A new student with an account of their own, logged in, from this address. */
  student(address: string): Promise<Person>;
}

export interface Person {
  visitor: Remote;
  email: string;
}

export interface Attack {
  name: string;
  /** Attacks until it has done its worst; answers what it got, and what of that it should not have. */
  run(target: Target): Promise<{ got: string; wrong: string[] }>;
}
