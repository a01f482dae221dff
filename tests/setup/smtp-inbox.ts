import type { AddressInfo } from "node:net";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerSession } from "smtp-server";

/** A self-signed certificate for localhost, used by this test server only; it protects nothing. */
const SELF_SIGNED = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgpZDKRunpk4iMCqer
M9bjGuXoW+0PdQ39BDVaeZDJxDqhRANCAAQG6Fcqw5yUSq2aIVhvQOm+kda+5+yb
gKN0I/8mM7ZVQfHU6SHDO1PXv1lV9vVKXfgjjl8JUTrDXPB8lhB3lK2s
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBfzCCASWgAwIBAgIUVHdN66DyawRtu+f0hdfigWm7rewwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMzA0MzAyMFoYDzIxMjYxMDMw
MDQzMDIwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQG6Fcqw5yUSq2aIVhvQOm+kda+5+ybgKN0I/8mM7ZVQfHU6SHDO1PX
v1lV9vVKXfgjjl8JUTrDXPB8lhB3lK2so1MwUTAdBgNVHQ4EFgQU2PJSyMjhRPsU
Qj/OlPyrI0Dk4IowHwYDVR0jBBgwFoAU2PJSyMjhRPsUQj/OlPyrI0Dk4IowDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEAz6LaRJ3rhaJ/1fXhIMks
LrDvVYvydhatxio2HU1OlRMCIDJcQZajW23pTDW/fQbmbWCTCiXJB65e3ri5ak1J
QJUl
-----END CERTIFICATE-----`,
};

/** What the server does instead of accepting: it answers with a code such as 450, is silent, or ends the connection. */
type Refusal = number | "silence" | "hang-up";

export interface InboxRules {
  port?: number;
  /** Refuses a connection in the greeting. */
  greeting?: () => Refusal | undefined;
  /** Refuses the sender of a mail. */
  sender?: (address: string) => number | undefined;
  /** Refuses a recipient. */
  recipient?: (address: string) => Refusal | undefined;
  /** Refuses a mail once it has been received. */
  content?: () => Refusal | undefined;
  /** Refuses a login; without it no login is required. */
  login?: (user: string) => number | undefined;
  /** Offers STARTTLS with a self-signed certificate. */
  startsTls?: boolean;
  /** How long each mail takes, in ms. */
  slownessMs?: number;
}

export interface ReceivedMail extends Email {
  /** The recipients in the envelope. */
  recipients: string[];
  source: string;
}

/** A real SMTP server that stores the mails it accepts. */
export class SmtpInbox {
  readonly mails: ReceivedMail[] = [];
  /** All recipients in order, including refused ones. */
  readonly named: string[] = [];
  readonly #rules: InboxRules;
  readonly #server: SMTPServer;

  private constructor(rules: InboxRules) {
    this.#rules = rules;
    this.#server = new SMTPServer({
      disabledCommands: [rules.startsTls ? [] : "STARTTLS", rules.login ? [] : "AUTH"].flat(),
      ...(rules.startsTls && SELF_SIGNED),
      allowInsecureAuth: true,
      disableReverseLookup: true,
      closeTimeout: 100,
      onConnect: (_session, done) => this.#answer(rules.greeting?.(), done),
      onAuth: ({ username = "" }, _session, done) => {
        const error = refusal(rules.login?.(username));
        if (error) done(error);
        else done(null, { user: username });
      },
      onMailFrom: ({ address }, _session, done) => done(refusal(rules.sender?.(address))),
      onRcptTo: ({ address }, _session, done) => {
        this.named.push(address);
        this.#answer(rules.recipient?.(address), done);
      },
      onData: (stream, session, done) => {
        const refused = rules.content?.();
        if (refused) buffer(stream).then(() => this.#answer(refused, done), done);
        else this.#take(stream, session).then(() => done(), done);
      },
    });
    this.#server.on("error", () => {});
  }

  static async start(rules: InboxRules = {}): Promise<SmtpInbox> {
    const inbox = new SmtpInbox(rules);
    await inbox.#listen();
    return inbox;
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  /** The mails accepted for this address. */
  to(address: string): ReceivedMail[] {
    return this.mails.filter(({ recipients }) => recipients.includes(address));
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #answer(refused: Refusal | undefined, done: (error: Error | null) => void): void {
    if (refused === "hang-up") for (const connection of this.#server.connections) connection.close();
    else if (refused !== "silence") done(refusal(refused));
  }

  async #take(stream: Readable, { envelope }: SMTPServerSession): Promise<void> {
    const source = await buffer(stream);
    const recipients = envelope.rcptTo.map(({ address }) => address);
    const mail = await PostalMime.parse(source);
    await new Promise((resolve) => setTimeout(resolve, this.#rules.slownessMs ?? 0));
    this.mails.push({ ...mail, recipients, source: source.toString() });
  }

  #listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.server.once("error", reject);
      this.#server.listen(this.#rules.port ?? 0, "127.0.0.1", () => resolve());
    });
  }
}

function refusal(code: number | undefined): Error | null {
  return code ? Object.assign(new Error("refused by the test"), { responseCode: code }) : null;
}
