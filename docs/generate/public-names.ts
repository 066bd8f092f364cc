import type { ExportDeclaration } from 'typescript/unstable/ast';
import { isExportSpecifier } from 'typescript/unstable/ast/is';
import {
  API,
  type Symbol as Named,
  NodeBuilderFlags,
  type Project,
  SignatureKind,
  SymbolFlags,
  type Type,
  TypeFlags,
} from 'typescript/unstable/sync';
import { compilerOptions } from '../../tsconfig.json';
import { projectFolder } from './pages.ts';

/** A member of an exported type or class. */
export type PublicMember = {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
  readonly description: string;
};

/** A name that an entry of the package exports. */
export type PublicName = {
  readonly name: string;
  /** The compiler's number for what it names, which several entries may export. */
  readonly id: number;
  readonly description: string;
  /** What its doc comment says after `@throws`. */
  readonly throws: readonly string[];
  /** As in a declaration file. An object type has members instead. */
  readonly declared: readonly string[];
  readonly members: readonly PublicMember[];
};

/** The source of each entry of the package. */
const entries = Object.entries(compilerOptions.paths).map(([entry, [path = '']]) => [entry, path] as const);

/** Two files that only the compiler sees: its configuration, and a module without names, in whose scope types are printed. */
const config = `${projectFolder}public-names.json`;
const scopeFile = `${projectFolder}public-names.ts`;
const files = [scopeFile, ...entries.map(([, path]) => path)];
const ownFiles = new Map([
  [config, JSON.stringify({ extends: './tsconfig.json', include: [], files })],
  [scopeFile, "import './src/index.ts';"],
]);

/** Reads what each entry of the package exports, with the types as the compiler resolves them. */
export function readPublicNames(): ReadonlyMap<string, readonly PublicName[]> {
  const fs = {
    readFile: (name: string) => ownFiles.get(name),
    fileExists: (name: string) => ownFiles.has(name) || undefined,
  };
  const api = new API({ cwd: projectFolder, fs });
  const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
  if (project === undefined) throw new Error(`The compiler cannot open ${config}.`);
  const { checker, program } = project;
  const printer = createPrinter(project);
  const exportsOf = (path: string): PublicName[] => {
    const file = program.getSourceFile(projectFolder + path);
    const module = file && checker.getSymbolAtLocation(file);
    if (module === undefined) throw new Error(`${path} is no module of the project.`);
    const names = checker.getExportsOfModule(module).map((one) => describe(one, project, printer));
    return names.sort((a, b) => a.name.localeCompare(b.name));
  };
  const names = new Map(entries.map(([entry, path]) => [entry, exportsOf(path)]));
  api.close();
  return names;
}

/** What prints the compiler's types. */
type Printer = {
  readonly print: (type: Type, flags?: number) => string;
  readonly typeOf: (symbol: Named) => Type;
};

function createPrinter({ checker, program }: Project): Printer {
  const scope = program.getSourceFile(scopeFile);
  return {
    print: (type, flags = 0) =>
      checker
        .typeToString(type, scope, flags | NodeBuilderFlags.UseSingleQuotesForStringLiteralType)
        .replace(/import\('[^']+'\)\./g, ''),
    typeOf: (symbol) => checker.getTypeOfSymbol(symbol) ?? checker.getUnknownType(),
  };
}

function describe(exported: Named, project: Project, printer: Printer): PublicName {
  const { checker } = project;
  const symbol = exported.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const isValue = (symbol.flags & SymbolFlags.Value) !== 0 && !isTypeOnly(exported, project);
  const members = membersOf(symbol, project).map((member) => ({
    name: member.name,
    // A long type is cut here: its own heading has it in full.
    type: printer.print(printer.typeOf(member)),
    isOptional: (member.flags & SymbolFlags.Optional) !== 0,
    description: member.getDocumentationComment(checker),
  }));
  const throws = symbol.getJsDocTags(checker).filter(({ name }) => name === 'throws');
  const isDeclaredType = (symbol.flags & SymbolFlags.Type) !== 0 && members.length === 0;
  return {
    name: exported.name,
    id: symbol.id,
    description: symbol.getDocumentationComment(checker),
    throws: throws.map(({ text = '' }) => text),
    declared:
      symbol.flags & SymbolFlags.Class
        ? declareClass(symbol, project, printer)
        : declare(symbol, { isValue, isType: isDeclaredType }, project, printer),
    members,
  };
}

/** Returns whether a name is exported with `type`, here or on its way: then its value is not exported. */
function isTypeOnly(exported: Named, project: Project): boolean {
  for (let one: Named | undefined = exported; one && one.flags & SymbolFlags.Alias; ) {
    const specifier = one.declarations[0]?.resolve(project);
    if (specifier && isExportSpecifier(specifier)) {
      const statement = specifier.parent.parent as ExportDeclaration;
      if (specifier.isTypeOnly || statement.isTypeOnly) return true;
    }
    one = project.checker.getImmediateAliasedSymbol(one);
  }
  return false;
}

const isOurs = ({ name, declarations: [first] }: Named): boolean =>
  !name.startsWith('__') && first !== undefined && !/^bundled:|\/node_modules\//.test(first.path);

/** Returns the members of a class, an interface or an object type, without those that the platform gives them. */
function membersOf(symbol: Named, { checker }: Project): readonly Named[] {
  if (symbol.flags & (SymbolFlags.Class | SymbolFlags.Interface))
    return [...symbol.getMembers().values()].filter(isOurs);
  if (!(symbol.flags & SymbolFlags.TypeAlias)) return [];
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  const isObject = (type.flags & (TypeFlags.Object | TypeFlags.Intersection)) !== 0;
  const isFunction = checker.getSignaturesOfType(type, SignatureKind.Call).length > 0;
  return isObject && !isFunction ? checker.getPropertiesOfType(type).filter(isOurs) : [];
}

function declareClass(symbol: Named, { checker }: Project, { print, typeOf }: Printer): string[] {
  return checker.getSignaturesOfType(typeOf(symbol), SignatureKind.Construct).map((signature) => {
    const parameters = signature.getParameters().map((one) => `${one.name}: ${print(typeOf(one))}`);
    return `new ${symbol.name}(${parameters.join(', ')})`;
  });
}

function declare(
  symbol: Named,
  { isValue, isType }: { isValue: boolean; isType: boolean },
  { checker }: Project,
  { print, typeOf }: Printer,
): string[] {
  const whole = NodeBuilderFlags.NoTruncation | NodeBuilderFlags.MultilineObjectLiterals;
  const declared: string[] = [];
  if (isValue) declared.push(`const ${symbol.name}: ${print(typeOf(symbol), whole)}`);
  if (isType) {
    const type = checker.getDeclaredTypeOfSymbol(symbol);
    declared.push(`type ${symbol.name} = ${print(type, whole | NodeBuilderFlags.InTypeAlias)}`);
  }
  return declared;
}
