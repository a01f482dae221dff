/** The arguments of a command. Prints its usage and exits for `--help`, any other option, or a wrong number of arguments. */
export function readArguments(
  usage: string,
  { least = 0, most = 0 }: { least?: number; most?: number },
): string[] {
  const given = process.argv.slice(2);
  if (given.includes("--help")) {
    console.log(usage);
    process.exit(0);
  }
  if (given.length < least || given.length > most || given.some((one) => one.startsWith("-"))) {
    console.error(usage);
    process.exit(1);
  }
  return given;
}
