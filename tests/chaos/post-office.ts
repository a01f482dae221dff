import { type InboxRules, type ReceivedMail, SmtpInbox } from "../setup/smtp-inbox.ts";
import type { SmtpBehaviour } from "./run.ts";

/** A mail server whose behaviour can be changed, always at the same address. */
export class PostOffice {
  readonly #inboxes: SmtpInbox[] = [];
  readonly #port: number;
  #mood: SmtpBehaviour = "accept";
  #isListening = true;

  private constructor(first: SmtpInbox) {
    this.#port = first.port;
    this.#inboxes.push(first);
  }

  static async open(): Promise<PostOffice> {
    const rules: InboxRules = {};
    const office = new PostOffice(await SmtpInbox.start(rules));
    rules.recipient = () => office.#answer();
    return office;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.#port}`;
  }

  /** All accepted mails. */
  get mails(): ReceivedMail[] {
    return this.#inboxes.flatMap((inbox) => inbox.mails);
  }

  async behave(mood: SmtpBehaviour): Promise<void> {
    this.#mood = mood;
    if (mood === "refuse" && this.#isListening) await this.close();
    if (mood !== "refuse" && !this.#isListening) await this.#reopen();
  }

  /** The codes in the mails to this address, in order. */
  codesFor(address: string): string[] {
    const mails = this.mails.filter(({ recipients }) => recipients.includes(address));
    return mails.flatMap(({ text = "" }) => /\b\d{6}\b/.exec(text)?.[0] ?? []);
  }

  async close(): Promise<void> {
    this.#isListening = false;
    await this.#inboxes.at(-1)?.close();
  }

  async #reopen(): Promise<void> {
    this.#isListening = true;
    this.#inboxes.push(await SmtpInbox.start({ port: this.#port, recipient: () => this.#answer() }));
  }

  #answer(): number | "silence" | undefined {
    const answers = { accept: undefined, refuse: 421, hang: "silence", "4xx": 450, "5xx": 550 } as const;
    return answers[this.#mood];
  }
}
