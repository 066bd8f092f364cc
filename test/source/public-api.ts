import {
  API,
  type Symbol as Named,
  NodeBuilderFlags,
  type Project,
  SignatureKind,
  SymbolFlags,
  type Type,
} from 'typescript/unstable/sync';
import { compilerOptions } from '../../tsconfig.json';
import { projectFolder } from '../setup/demo-process.ts';

const flags =
  NodeBuilderFlags.NoTruncation |
  NodeBuilderFlags.InTypeAlias |
  NodeBuilderFlags.MultilineObjectLiterals |
  NodeBuilderFlags.UseSingleQuotesForStringLiteralType;

/** The source of each entry. */
const entries = Object.entries(compilerOptions.paths).map(([entry, [path = '']]) => [entry, path] as const);

/** A type of ours in a printed type: the file that exports it, and its name. */
const ownType = /import\('(\.\/[^']+)'\)\.(\w+)/g;

/** Two files that only the compiler sees: its configuration, and a module without names, in whose scope types are printed. */
const config = `${projectFolder}public-api.json`;
const scopeFile = `${projectFolder}public-api.ts`;
const configText = JSON.stringify({
  extends: './tsconfig.json',
  include: [],
  files: [scopeFile, ...entries.map(([, path]) => path)],
});
const ownFiles = new Map([
  [config, configText],
  [scopeFile, "import './src/index.ts';"],
]);

function openCompiler(): API {
  const fs = {
    readFile: (name: string) => ownFiles.get(name),
    fileExists: (name: string) => ownFiles.has(name) || undefined,
  };
  return new API({ cwd: projectFolder, fs });
}

/** The project's types as the compiler resolves them. */
function readTypes({ checker, program }: Project) {
  const scope = program.getSourceFile(scopeFile);
  const print = (type: Type): string => checker.typeToString(type, scope, flags);
  const typeOf = (symbol: Named): Type => checker.getTypeOfSymbol(symbol) ?? checker.getUnknownType();

  const printMember = (member: Named): string =>
    `${member.name}${member.flags & SymbolFlags.Optional ? '?' : ''}: ${print(typeOf(member))}`;

  /** Prints a class or interface by its own members: as a type it is only a name. */
  const printClass = (symbol: Named): string => {
    const bases = checker.getDeclaredTypeOfSymbol(symbol).getBaseTypes() ?? [];
    const signatures = checker.getSignaturesOfType(typeOf(symbol), SignatureKind.Construct);
    const constructors = signatures.map(
      (signature) => `constructor(${signature.getParameters().map(printMember).join(', ')})`,
    );
    const members = [...symbol.getMembers().values()].filter(({ name }) => !name.startsWith('__'));
    const lines = [...constructors, ...members.map(printMember)].map((line) => `    ${line};\n`);
    return `class ${symbol.name} extends ${bases.map(print)} {\n${lines.join('')}}`;
  };

  return {
    exportsOf(path: string): Map<string, Named> {
      const file = program.getSourceFile(projectFolder + path);
      const module = file && checker.getSymbolAtLocation(file);
      if (module === undefined) throw new Error(`${path} is no module of the project.`);
      const aim = (one: Named): Named =>
        one.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(one) : one;
      return new Map(checker.getExportsOfModule(module).map((one) => [one.name, aim(one)]));
    },
    /** @param isValue whether the name is exported as a value too */
    print(symbol: Named, isValue: boolean): string {
      if (symbol.flags & (SymbolFlags.Class | SymbolFlags.Interface)) return printClass(symbol);
      const value = isValue ? [`const ${symbol.name}: ${print(typeOf(symbol))}`] : [];
      const isType = (symbol.flags & SymbolFlags.Type) !== 0;
      const type = isType ? [`type ${symbol.name} = ${print(checker.getDeclaredTypeOfSymbol(symbol))}`] : [];
      return [...value, ...type].join('\n');
    },
  };
}

/**
 * Returns what each entry of the package exports, and then the types of ours that these name. Each is printed once.
 */
export async function describePublicApi(): Promise<string> {
  const api = openCompiler();
  const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
  if (project === undefined) throw new Error(`The compiler cannot open ${config}.`);
  const types = readTypes(project);
  const printed = new Map<number, string>();
  const named = new Set<string>();
  const withoutPaths = (text: string): string =>
    text.replace(ownType, (found, _path, name) => {
      named.add(found);
      return name;
    });
  const print = (symbol: Named, heading: string, isValue: boolean): string[] => {
    const earlier = printed.get(symbol.id);
    if (earlier === heading) return [];
    if (earlier !== undefined) return [`${symbol.name}: see ${earlier}`];
    printed.set(symbol.id, heading);
    return [withoutPaths(types.print(symbol, isValue))];
  };

  const sections: string[] = [];
  for (const [entry, path] of entries) {
    const values = await import(projectFolder + path);
    const lines = [...types.exportsOf(path)].flatMap(([name, symbol]) =>
      print(symbol, entry, name in values),
    );
    sections.push([`# ${entry}`, ...lines].join('\n\n'));
  }
  const heading = 'types that these name';
  const lines = [`# ${heading}`];
  // The set grows while it is read.
  for (const found of named) {
    const [, path = '', name = ''] = new RegExp(ownType.source).exec(found) ?? [];
    const symbol = types.exportsOf(path).get(name);
    if (symbol !== undefined && printed.get(symbol.id) === undefined)
      lines.push(...print(symbol, heading, false));
  }
  sections.push(lines.join('\n\n'));
  api.close();
  return `${sections.join('\n\n\n')}\n`;
}
