import { AppError } from "../../errors.ts";

/**
 * Removes stored files, one after the other. One that cannot be removed is tried again the next time, and keeps others only
 * where the file store does not answer. Throws the first error.
 */
export async function removeEach(keys: string[], remove: (key: string) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  for (const key of keys) {
    try {
      await remove(key);
    } catch (error) {
      failures.push(error);
      if (error instanceof AppError) break;
    }
  }
  if (failures.length > 0) throw failures[0];
}
