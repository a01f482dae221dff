import { ApiClient } from "../../setup/api-client.ts";

/** A client at another address, as reported by a proxy on this machine. */
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

/** What an attack can use. */
export interface Target {
  baseUrl: string;
  /** The amount of each attack: 1 is the long run. */
  scale: number;
  /** The e-mail of a student who uses the store during the attack and logs in repeatedly. */
  victim: string;
  /** A shop that takes orders, and an admin who prints them. */
  shopId: string;
  staff: Remote;
  /** A new logged-in student at this address. */
  student(address: string): Promise<Person>;
}

export interface Person {
  visitor: Remote;
  email: string;
}

export interface Attack {
  name: string;
  /** Runs the attack; returns what it got, and what of that it should not have got. */
  run(target: Target): Promise<{ got: string; wrong: string[] }>;
}
