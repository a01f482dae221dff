const COUNT = new Intl.NumberFormat("en-IN");

/** Such as `1 page` and `1,200 copies`. */
export function counted(count: number, noun: string): string {
  return `${COUNT.format(count)} ${count === 1 ? noun : pluralOf(noun)}`;
}

/** Of what is counted here only copies take more than an s. */
export function pluralOf(noun: string): string {
  return noun === "copy" ? "copies" : `${noun}s`;
}
