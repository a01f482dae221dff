import { expect, test } from "vitest";
import { TimeOrderedRows } from "../load/fill.ts";

const at = (created_at: string) => ({ created_at });

test("rows are returned oldest first, and those that may still be preceded by others wait", () => {
  const rows = new TimeOrderedRows();
  rows.add([at("2026-10-15T09:00"), at("2026-10-15T12:00"), at("2026-10-15T08:00")]);
  expect(rows.take("2026-10-15T09:00")).toEqual([at("2026-10-15T08:00"), at("2026-10-15T09:00")]);
  rows.add([at("2026-10-15T11:00")]);
  expect(rows.take("2026-10-15T10:00")).toEqual([]);
  expect(rows.take()).toEqual([at("2026-10-15T11:00"), at("2026-10-15T12:00")]);
  expect(rows.take()).toEqual([]);
});
