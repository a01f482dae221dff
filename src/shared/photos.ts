const MB = 1024 * 1024;

/** Size limit for photos of shops and of printing errors. */
export const MAX_PHOTO_BYTES = 15 * MB;
export const PHOTO_TOO_LARGE = `is larger than ${MAX_PHOTO_BYTES / MB} MB. Please choose a smaller one`;
