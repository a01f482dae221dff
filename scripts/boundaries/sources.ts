import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { type ESTree, parseSync, Visitor } from "vite";

export interface Import {
  line: number;
  /** Path in the repository, or the specifier of a package. */
  target: string;
  inRepository: boolean;
  /** Written `import type`, so that nothing of it is left when the program runs. */
  typeOnly: boolean;
}

export interface SourceFile {
  path: string;
  imports: Import[];
  /** Lines that read process.env. */
  environmentLines: number[];
  /** Whether the file does nothing but pass on what other files export. */
  onlyReexports: boolean;
}

/** Reads one source file of the tree at `root`; `aliases` is the `imports` field of its package.json. */
export function readSource(root: string, path: string, aliases: Record<string, string>): SourceFile {
  const code = readFileSync(join(root, path), "utf8");
  const { program } = parseSync(path, code);
  const imports: Import[] = [];
  const environmentLines: number[] = [];
  const lineAt = (offset: number) => code.slice(0, offset).split("\n").length;
  const add = (at: number, specifier: string, typeOnly: boolean) => {
    imports.push({ line: lineAt(at), typeOnly, ...resolveImport(path, specifier, aliases) });
  };

  new Visitor({
    ImportDeclaration: ({ start, source, importKind }) => add(start, source.value, importKind === "type"),
    ExportAllDeclaration: ({ start, source, exportKind }) => add(start, source.value, exportKind === "type"),
    ExportNamedDeclaration({ start, source, exportKind }) {
      if (source) add(start, source.value, exportKind === "type");
    },
    ImportExpression({ start, source }) {
      if (source.type === "Literal" && typeof source.value === "string") add(start, source.value, false);
    },
    MemberExpression({ start, object, property }) {
      const isProcess = object.type === "Identifier" && object.name === "process";
      const isEnvironment = property.type === "Identifier" && property.name === "env";
      if (isProcess && isEnvironment) environmentLines.push(lineAt(start));
    },
  }).visit(program);

  const onlyReexports = program.body.length > 0 && program.body.every(passesOn);
  return { path, imports, environmentLines, onlyReexports };
}

function passesOn(statement: ESTree.Statement): boolean {
  if (statement.type === "ExportAllDeclaration") return true;
  return statement.type === "ExportNamedDeclaration" && statement.source !== null;
}

function resolveImport(from: string, specifier: string, aliases: Record<string, string>) {
  const [plain = specifier] = specifier.split("?");
  if (plain.startsWith(".")) {
    return { target: posix.join(posix.dirname(from), plain), inRepository: true };
  }
  for (const [alias, folder] of Object.entries(aliases)) {
    const prefix = alias.replace("*", "");
    if (plain.startsWith(prefix)) {
      return { target: posix.normalize(folder.replace("*", plain.slice(prefix.length))), inRepository: true };
    }
  }
  return { target: plain, inRepository: false };
}
