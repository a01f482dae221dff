/** What a data folder holds, by its name there. */
export const IN_DATA_DIR = {
  database: "store.sqlite",
  lock: "server.lock",
  secret: "secret",
  files: "files",
  shopPhotos: "shop-images",
  packs: "packs",
  mail: "mail",
} as const;
