const MB = 1024 * 1024;

/** Largest picture that is taken in: of a shop, and of a printing error. */
export const MAX_PHOTO_BYTES = 15 * MB;
export const PHOTO_TOO_LARGE = `is larger than ${MAX_PHOTO_BYTES / MB} MB. Please choose a smaller one`;
