import {
  type Symbol as Named,
  NodeBuilderFlags,
  type Project,
  SignatureKind,
  SymbolFlags,
  type Type,
} from 'typescript/unstable/sync';
import {
  aimOf,
  entries,
  exportsOf,
  isTypeOnly,
  openProject,
  scopeFile,
} from '../../docs/generate/compiler.ts';

const flags =
  NodeBuilderFlags.NoTruncation |
  NodeBuilderFlags.InTypeAlias |
  NodeBuilderFlags.MultilineObjectLiterals |
  NodeBuilderFlags.UseSingleQuotesForStringLiteralType;

/** A type of ours in a printed type: the file that exports it, and its name. */
const ownType = /import\('(\.\/[^']+)'\)\.(\w+)/g;

/** Returns the function that prints what a name stands for, with types as the compiler resolves them. */
function createPrinter({ checker, program }: Project): (symbol: Named, isValue: boolean) => string {
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

  return (symbol, isValue) => {
    if (symbol.flags & (SymbolFlags.Class | SymbolFlags.Interface)) return printClass(symbol);
    const value = isValue ? [`const ${symbol.name}: ${print(typeOf(symbol))}`] : [];
    const isType = (symbol.flags & SymbolFlags.Type) !== 0;
    const type = isType ? [`type ${symbol.name} = ${print(checker.getDeclaredTypeOfSymbol(symbol))}`] : [];
    return [...value, ...type].join('\n');
  };
}

/** Returns what each entry of the package exports, and then the types of ours that these name. Each is printed once. */
export function describePublicApi(): string {
  const { project, close } = openProject();
  const printSymbol = createPrinter(project);
  const homes = new Map<number, string>();
  const named = new Set<string>();
  const print = (exported: Named, section: string): string => {
    const symbol = aimOf(project, exported);
    const home = homes.get(symbol.id);
    if (home !== undefined) return `${symbol.name}: see ${home}`;
    homes.set(symbol.id, section);
    const isValue = (symbol.flags & SymbolFlags.Value) !== 0 && !isTypeOnly(exported, project);
    return printSymbol(symbol, isValue).replace(ownType, (found, _path, name) => {
      named.add(found);
      return name;
    });
  };

  const sections = entries.map(([entry, path]) => [
    `# ${entry}`,
    ...exportsOf(project, path).map((one) => print(one, entry)),
  ]);
  const others = ['# types that these name'];
  // The set grows while it is read.
  for (const found of named) {
    const [, path = '', name = ''] = new RegExp(ownType.source).exec(found) ?? [];
    const exported = exportsOf(project, path).find((one) => one.name === name);
    if (exported && !homes.has(aimOf(project, exported).id)) others.push(print(exported, 'below'));
  }
  close();
  return `${[...sections, others].map((lines) => lines.join('\n\n')).join('\n\n\n')}\n`;
}
