import { expect, test, vi } from "vitest";
import { openTempDatabase } from "../setup/temporary.ts";

test("SQLite plans a statement once, whatever its parameters", async () => {
  const { db } = await openTempDatabase();
  const countSessions = (id: string) =>
    db
      .selectFrom("sessions")
      .innerJoin("users", "users.id", "sessions.user_id")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("sessions.id", "=", id)
      .execute();
  // The driver makes by it what makes rows of a statement, once for each plan.
  const rowMakers = vi.spyOn(globalThis, "Function");

  for (const id of ["one", "another", "a third"]) expect(await countSessions(id)).toEqual([{ count: 0 }]);

  expect(rowMakers).toHaveBeenCalledTimes(1);
  rowMakers.mockRestore();
});
