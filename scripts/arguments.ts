import { parseArgs } from "node:util";
import { z } from "zod";

/** The arguments of a command. Prints its usage and exits for `--help`, any other option, or a wrong number of arguments. */
export function readArguments(
  usage: string,
  { least = 0, most = 0 }: { least?: number; most?: number },
): string[] {
  const given = process.argv.slice(2);
  exitForHelp(usage, given);
  if (given.length < least || given.length > most || given.some((one) => one.startsWith("-"))) {
    console.error(usage);
    process.exit(1);
  }
  return given;
}

/**
 * The options of a command, such as `--seed 7`, and its other arguments, of which some are only allowed with `paths`. An
 * option whose default is true or false takes no value. Prints its usage and exits for `--help`, and what is wrong if any is.
 */
export function readOptions<Shape extends z.ZodRawShape>(
  usage: string,
  shape: Shape,
  { paths: allowPositionals = false } = {},
): { options: z.output<z.ZodObject<Shape>>; paths: string[] } {
  const args = process.argv.slice(2);
  exitForHelp(usage, args);
  try {
    const schema = z.object(shape);
    const { values, positionals } = parseArgs({ args, allowPositionals, options: flagsOf(shape) });
    const parsed = schema.safeParse(values);
    if (parsed.success) return { options: parsed.data, paths: positionals };
    const [issue] = parsed.error.issues;
    throw new Error(`--${String(issue?.path[0])} ${issue?.message}`);
  } catch (error) {
    // Node adds to an unknown option how to pass a file of that name.
    console.error((error as Error).message.split(". ")[0]);
    console.error(usage);
    process.exit(1);
  }
}

/** A whole number for `readOptions`. */
export function count(least: number, most?: number) {
  const whole = z.coerce.number("must be a number").int("must be a whole number");
  const atLeast = whole.min(least, `must be at least ${least}`);
  return most === undefined ? atLeast : atLeast.max(most, `must be at most ${most}`);
}

function flagsOf(shape: z.ZodRawShape) {
  const flags = Object.entries(shape).map(([name, schema]) => {
    const isSwitch = typeof z.safeParse(schema, undefined).data === "boolean";
    return [name, { type: isSwitch ? "boolean" : "string" }] as const;
  });
  return Object.fromEntries(flags);
}

function exitForHelp(usage: string, args: string[]): void {
  if (!args.includes("--help")) return;
  console.log(usage);
  process.exit(0);
}
