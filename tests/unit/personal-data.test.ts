import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";

type PersonalData = typeof import("#ui/personal-data.ts");

/** What the browser's tabs share. */
let localStorage: Record<string, string>;
let tab: PersonalData;
/** How often what this tab has in memory was cleared. */
let cleared: number;

function storageOf(items: Record<string, string>) {
  const methods = {
    getItem: (key: string) => items[key] ?? null,
    setItem: (key: string, value: string) => {
      items[key] = value;
    },
    removeItem: (key: string) => {
      delete items[key];
    },
    clear() {},
  };
  return new Proxy(items, { get: (all, key: string) => methods[key as keyof typeof methods] ?? all[key] });
}

beforeAll(async () => {
  // One that does not answer: the files are another test's subject.
  vi.stubGlobal("indexedDB", { open: () => ({}) });
  tab = await import("#ui/personal-data.ts");
  tab.onPersonalDataCleared(() => cleared++);
});

beforeEach(() => {
  [localStorage, cleared] = [{}, 0];
  vi.stubGlobal("window", { localStorage: storageOf(localStorage), sessionStorage: storageOf({}) });
  vi.stubGlobal("indexedDB", { open: () => ({}) });
  vi.stubGlobal("caches", undefined);
  tab.clearPersonalData();
});

afterEach(() => {
  vi.unstubAllGlobals();
});

test("what a tab has in memory of a student is not left to the next, whom another tab has logged in before it heard", () => {
  tab.claimBrowser("asha");
  cleared = 0;
  Object.assign(localStorage, { owner: "meera", "draft:meera:there": "{}" });
  tab.claimBrowser("meera");
  expect(cleared).toBe(1);
  expect(tab.currentOwner()).toBe("meera");
  expect(localStorage, "what the other tab has stored").toEqual({
    owner: "meera",
    "draft:meera:there": "{}",
  });
});

test("the next student's login removes what is stored of the last one, the same one's nothing", () => {
  tab.claimBrowser("asha");
  Object.assign(localStorage, { "draft:asha:there": "{}", address: "{}", "console-sound": "{}" });
  cleared = 0;
  tab.claimBrowser("asha");
  expect([cleared, Object.keys(localStorage)]).toEqual([
    0,
    ["owner", "draft:asha:there", "address", "console-sound"],
  ]);
  tab.claimBrowser("meera");
  expect([cleared, localStorage]).toEqual([1, { "console-sound": "{}", owner: "meera" }]);
});

test("in a browser that stores nothing no other tab can have logged the person out", () => {
  vi.stubGlobal("window", {
    get localStorage(): Storage {
      throw new DOMException("storage is forbidden", "SecurityError");
    },
    sessionStorage: storageOf({}),
  });
  tab.claimBrowser("asha");
  expect(tab.ownsBrowser("asha")).toBe(true);
});

test("a person whom another tab has logged out owns the browser no more", () => {
  tab.claimBrowser("asha");
  expect(tab.ownsBrowser("asha")).toBe(true);
  delete localStorage.owner;
  expect(tab.ownsBrowser("asha")).toBe(false);
});
