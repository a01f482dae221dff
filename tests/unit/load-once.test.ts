import { expect, test, vi } from "vitest";
import { loadOnce } from "#shared/load-once.ts";

test("what several ask for at once is loaded once, and again for nobody", async () => {
  const load = vi.fn(async () => "a page");
  const get = loadOnce(load);
  expect(await Promise.all([get(), get()])).toEqual(["a page", "a page"]);
  expect(await get()).toBe("a page");
  expect(load).toHaveBeenCalledTimes(1);
});

test("what could not be loaded, as without file descriptors, is tried again for the next who asks", async () => {
  const load = vi.fn(async () => "a page").mockRejectedValueOnce(new Error("EMFILE"));
  const get = loadOnce(load);
  await expect(Promise.all([get(), get()])).rejects.toThrow("EMFILE");
  expect(await get()).toBe("a page");
  expect(load).toHaveBeenCalledTimes(2);
});
