import { indianTime } from "#shared/indian-time.ts";
import { AppError } from "./errors.ts";

/** The last time that something was saved. */
interface LastSave {
  version: number;
  /** Name of the person; null where it was not noted. */
  savedBy: string | null;
  savedAt: string | null;
}

/** The refusal of changes to something that was saved since they were begun: it says who did, and when. */
export function savedMeanwhile(what: string, { version, savedBy, savedAt }: LastSave): AppError {
  const who = savedBy ?? "Someone else";
  const when = savedAt ? ` (${indianTime(savedAt)})` : "";
  return new AppError("CONFLICT", `${who} saved ${what} while you were editing it${when}`, {
    data: { version, savedBy, savedAt },
  });
}
