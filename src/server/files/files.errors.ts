import { AppError } from "../errors.ts";

const MB = 1024 * 1024;

/** The refusal of a file that is larger than a file may be. */
export function tooLarge(maxBytes: number): AppError {
  const megabytes = Number((maxBytes / MB).toFixed(2));
  return new AppError("TOO_LARGE", `The file is larger than ${megabytes} MB. Please upload a smaller one`);
}
