import type { ExportDeclaration } from 'typescript/unstable/ast';
import { isExportSpecifier } from 'typescript/unstable/ast/is';
import { API, type Symbol as Named, type Project, SymbolFlags } from 'typescript/unstable/sync';
import { compilerOptions } from '../../tsconfig.json';
import { projectFolder } from './pages.ts';

/** The source of each entry of the package. */
export const entries = Object.entries(compilerOptions.paths).map(
  ([entry, [path = '']]) => [entry, path] as const,
);

/** Two files that only the compiler sees: its configuration, and a module without names, in whose scope types are printed. */
const config = `${projectFolder}public-names.json`;
export const scopeFile = `${projectFolder}public-names.ts`;
const files = [scopeFile, ...entries.map(([, path]) => path)];
const ownFiles = new Map([
  [config, JSON.stringify({ extends: './tsconfig.json', include: [], files })],
  [scopeFile, "import './src/index.ts';"],
]);

/** Opens a project of the entries and what they import. */
export function openProject(): { project: Project; close: () => void } {
  const fs = {
    readFile: (name: string) => ownFiles.get(name),
    fileExists: (name: string) => ownFiles.has(name) || undefined,
  };
  const api = new API({ cwd: projectFolder, fs });
  const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
  if (project === undefined) throw new Error(`The compiler cannot open ${config}.`);
  return { project, close: () => api.close() };
}

/** Returns what a module exports, as it names it: see `aimOf`. */
export function exportsOf({ checker, program }: Project, path: string): readonly Named[] {
  const file = program.getSourceFile(projectFolder + path);
  const module = file && checker.getSymbolAtLocation(file);
  if (module === undefined) throw new Error(`${path} is no module of the project.`);
  return checker.getExportsOfModule(module);
}

/** Returns what an exported name stands for. */
export const aimOf = ({ checker }: Project, exported: Named): Named =>
  exported.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;

/** Returns whether a name is exported with `type`, here or on its way: then its value is not exported. */
export function isTypeOnly(exported: Named, project: Project): boolean {
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
