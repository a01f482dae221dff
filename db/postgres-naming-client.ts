import pg from "pg";
import { statementName } from "./statement-names.ts";

/** Has PostgreSQL keep the statements that have a name, so that it need not parse and plan them each time. */
export class NamingClient extends pg.Client {
  override query(...args: unknown[]): never {
    const [text, values] = args;
    const name = typeof text === "string" ? statementName(text) : undefined;
    return Reflect.apply(super.query, this, name ? [{ name, text, values }] : args) as never;
  }
}
