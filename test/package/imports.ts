import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { parseSync } from 'vite';

/** What a module imports, as it is written, static or not, types included. A `*` stands for what is computed. */
export function importsOf(code: string, path = 'module.js'): string[] {
  const found: string[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, source } = node as { type?: string; source?: Specifier | null };
    if (source && /^(TSImport|Import|Export)/.test(type ?? '')) found.push(textOf(source));
    for (const child of Object.values(node)) walk(child);
  };
  walk(parseSync(path, code).program);
  return found;
}

/** What a module of TypeScript loads when it is imported: its static imports, without those of types. */
export function loadedBy(code: string, path: string): string[] {
  const { staticImports, staticExports } = parseSync(path, code).module;
  const imports = staticImports.filter(
    ({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType),
  );
  const exports = staticExports.flatMap(({ entries }) => entries.filter(({ isType }) => !isType));
  return [...imports, ...exports].flatMap(({ moduleRequest }) => moduleRequest?.value ?? []);
}

/** A string, a template, or any other expression. */
type Specifier = { value?: unknown; quasis?: { value: { cooked: string } }[] };

const textOf = ({ value, quasis }: Specifier): string =>
  typeof value === 'string' ? value : (quasis?.map((part) => part.value.cooked).join('*') ?? '*');

const packageOf = (specifier: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;

const importsByFile = new Map<string, readonly string[]>();

/** What a built file imports, parsed once. */
function importsOfFile(path: string): readonly string[] {
  const imports = importsByFile.get(path) ?? importsOf(readFileSync(path, 'utf8'));
  importsByFile.set(path, imports);
  return imports;
}

/** A built file with all the files that it imports. */
export function filesOf(file: string): string[] {
  const files = new Set<string>();
  const visit = (path: string): void => {
    if (files.has(path)) return;
    files.add(path);
    for (const specifier of importsOfFile(path))
      if (specifier.startsWith('.')) visit(join(dirname(path), specifier));
  };
  visit(file);
  return [...files];
}

/**
 * The packages that a built file needs, with all the files that it imports; `node:` stands for Node's own modules.
 */
export function packagesOf(file: string): string[] {
  const specifiers = filesOf(file).flatMap(importsOfFile);
  const packages = specifiers.filter((specifier) => !specifier.startsWith('.'));
  return [...new Set(packages.map((name) => (isBuiltin(name) ? 'node:' : packageOf(name))))].sort();
}

/** The packages that are bundled in a built file which is not minified: its comments name their modules. */
export const bundledIn = (file: string): string[] =>
  uniqueMatches(file, /^\/\/ \S*?node_modules\/((?:@[^/]+\/)?[^/]+)\//gm);

/** The folders of our own modules in a built file which is not minified, two levels deep. */
export const foldersIn = (file: string): string[] =>
  uniqueMatches(file, /^\/\/ ((?:src|server-kit)\/[^/\n]+)/gm);

const uniqueMatches = (file: string, pattern: RegExp): string[] => {
  const matches = readFileSync(file, 'utf8').matchAll(pattern);
  return [...new Set([...matches].map(([, name = '']) => name))].sort();
};
