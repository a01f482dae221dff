import { afterEach, beforeEach, expect } from "vitest";

/** An unexpected error or warning fails the test; a test that expects one replaces the method itself. */
for (const level of ["error", "warn"] as const) {
  const original = console[level];
  const said: string[] = [];

  beforeEach(() => {
    said.length = 0;
    console[level] = (...parts: unknown[]) => {
      said.push(parts.map(String).join(" "));
      original(...parts);
    };
  });

  afterEach(() => {
    console[level] = original;
    expect(said, `console.${level} in a test`).toEqual([]);
  });
}
