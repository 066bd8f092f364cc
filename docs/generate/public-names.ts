import {
  type Symbol as Named,
  NodeBuilderFlags,
  type Project,
  SignatureKind,
  SymbolFlags,
  type Type,
  TypeFlags,
} from 'typescript/unstable/sync';
import { aimOf, exportsOf, isTypeOnly, scopeFile } from './compiler.ts';

/** A member of an exported type or class. */
export type PublicMember = {
  readonly name: string;
  readonly type: string;
  readonly description: string;
};

/**
 * A name that a module of the package exports, with the types as the compiler resolves them. A type of ours in them has its file:
 * `import('./src/contract/money').Money`.
 */
export type PublicName = {
  readonly name: string;
  /** The compiler's number for what it names, which several entries may export. */
  readonly id: number;
  readonly description: string;
  /** What its doc comment says after `@throws`. */
  readonly throws: readonly string[];
  /** Its value, as in a declaration file, or what a class extends and takes. */
  readonly values: readonly string[];
  /** Its type, as in a declaration file; a class or interface has members only. */
  readonly type: string | undefined;
  readonly members: readonly PublicMember[];
};

const whole = NodeBuilderFlags.NoTruncation | NodeBuilderFlags.MultilineObjectLiterals;

/** Returns the function that reads what a module exports. Long types of members are cut. */
export function createNamesReader(project: Project): (path: string) => PublicName[] {
  const printer = createPrinter(project);
  return (path) => exportsOf(project, path).map((one) => describe(one, project, printer));
}

/** What prints the compiler's types. */
type Printer = {
  readonly print: (type: Type, flags?: number) => string;
  readonly printMember: (member: Named) => string;
  readonly typeOf: (symbol: Named) => Type;
};

function createPrinter({ checker, program }: Project): Printer {
  const scope = program.getSourceFile(scopeFile);
  const print = (type: Type, flags = whole): string =>
    checker.typeToString(type, scope, flags | NodeBuilderFlags.UseSingleQuotesForStringLiteralType);
  const typeOf = (symbol: Named): Type => checker.getTypeOfSymbol(symbol) ?? checker.getUnknownType();
  return { print, printMember: (member) => print(typeOf(member), 0), typeOf };
}

function describe(exported: Named, project: Project, printer: Printer): PublicName {
  const { checker } = project;
  const symbol = aimOf(project, exported);
  const isClass = (symbol.flags & (SymbolFlags.Class | SymbolFlags.Interface)) !== 0;
  const isValue = (symbol.flags & SymbolFlags.Value) !== 0 && !isTypeOnly(exported, project);
  const members = membersOf(symbol, project).map((member) => ({
    name: `${member.name}${member.flags & SymbolFlags.Optional ? '?' : ''}`,
    type: printer.printMember(member),
    description: member.getDocumentationComment(checker),
  }));
  const throws = symbol.getJsDocTags(checker).filter(({ name }) => name === 'throws');
  const value = isValue ? [`const ${symbol.name}: ${printer.print(printer.typeOf(symbol))}`] : [];
  return {
    name: exported.name,
    id: symbol.id,
    description: symbol.getDocumentationComment(checker),
    throws: throws.map(({ text = '' }) => text),
    values: isClass ? declareClass(symbol, project, printer) : value,
    type: isClass || !(symbol.flags & SymbolFlags.Type) ? undefined : declareType(symbol, project, printer),
    members,
  };
}

const isOurs = ({ name, declarations: [first] }: Named): boolean =>
  !name.startsWith('__') && first !== undefined && !/^bundled:|\/node_modules\//.test(first.path);

/** Returns the members of a class, an interface or an object type, without those that the platform gives them. */
function membersOf(symbol: Named, { checker }: Project): readonly Named[] {
  if (symbol.flags & SymbolFlags.Class) return [...symbol.getMembers().values()].filter(isOurs);
  if (!(symbol.flags & (SymbolFlags.TypeAlias | SymbolFlags.Interface))) return [];
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  const isObject = (type.flags & (TypeFlags.Object | TypeFlags.Intersection)) !== 0;
  const isFunction = checker.getSignaturesOfType(type, SignatureKind.Call).length > 0;
  return isObject && !isFunction ? checker.getPropertiesOfType(type).filter(isOurs) : [];
}

/** As a type, a class is only a name. */
function declareClass(symbol: Named, { checker }: Project, { print, typeOf }: Printer): string[] {
  if (!(symbol.flags & SymbolFlags.Class)) return [];
  const bases = checker.getDeclaredTypeOfSymbol(symbol).getBaseTypes() ?? [];
  const head = bases.map((base) => `class ${symbol.name} extends ${print(base)}`);
  const constructors = checker.getSignaturesOfType(typeOf(symbol), SignatureKind.Construct);
  const calls = constructors.map((signature) => {
    const parameters = signature.getParameters().map((one) => `${one.name}: ${print(typeOf(one))}`);
    return `new ${symbol.name}(${parameters.join(', ')})`;
  });
  return [...head, ...calls];
}

function declareType(symbol: Named, { checker }: Project, { print }: Printer): string {
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  return `type ${symbol.name} = ${print(type, whole | NodeBuilderFlags.InTypeAlias)}`;
}
