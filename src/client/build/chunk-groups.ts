/** The chunks of the first load: packages, which change seldom, and the store's own code. */
export const FIRST_LOAD = [
  { name: "packages", test: /node_modules/, tags: ["$initial" as const], priority: 5 },
  { name: "store", tags: ["$initial" as const], priority: 4 },
];
