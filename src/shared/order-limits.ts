export const MAX_PAGES = 100_000;
export const MAX_COPIES = 1000;
export const MAX_FILES = 50;
