import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import tsconfig from '../../tsconfig.json' with { type: 'json' };
import { importsOf, packageOf } from '../package/imports.ts';
import { projectFolder } from '../setup/demo-process.ts';
import { listFolder } from './project-files.ts';
import { packages, rooms } from './rooms.ts';

/** One import of a file: the path of another file, or else a package. */
export type Import = { readonly from: string; readonly path?: string; readonly package?: string };

const maxFiles = 16;
const entries: Readonly<Record<string, readonly string[]>> = tsconfig.compilerOptions.paths;

/** Returns the paths of the files that belong to rooms. The examples are projects of their own. */
export const listFiles = (): string[] =>
  Object.keys(rooms)
    .flatMap(listFolder)
    .filter((path) => /\.tsx?$/.test(path) && !path.startsWith('demo/examples/'));

export const readImports = (file: string): Import[] =>
  parseImports(file, readFileSync(join(projectFolder, file), 'utf8'));

export function parseImports(from: string, code: string): Import[] {
  // Node's modules are the linter's business, and a `*` is computed.
  const specifiers = importsOf(code, from).filter((name) => name !== '*' && !isBuiltin(name));
  return specifiers.map((specifier) => {
    const [entry] = entries[specifier] ?? [];
    if (entry !== undefined) return { from, path: posix.normalize(entry) };
    if (!specifier.startsWith('.')) return { from, package: packageOf(specifier) };
    return { from, path: posix.join(posix.dirname(from), specifier.replace(/\?.*/, '')) };
  });
}

/** Returns what is against the table of rooms, a line each. */
export function findViolations(files: readonly string[], imports: readonly Import[]): string[] {
  const refused = imports.filter((each) => !isAllowed(each));
  return [
    ...refused.map((each) => `${each.from} may not import ${each.path ?? each.package}`),
    ...findCircle(imports),
    ...findWrongRooms(files),
  ];
}

/** Whether a name of the table begins with an area, or is a file's. */
const isFull = (name: string): boolean =>
  Object.hasOwn(rooms, name.split('/')[0] ?? '') || name.includes('.json');

/** Each room by its path, with the rooms that it may import. */
const allowed = new Map(
  Object.entries(rooms).flatMap(([area, rows]) =>
    Object.entries(rows).map(([room, text]) => {
      const names = text.split(' ').filter(Boolean);
      return [
        posix.join(area, room),
        names.map((name) => (isFull(name) ? name : posix.join(area, name))),
      ] as const;
    }),
  ),
);

const roomOf = (path: string): string => (path.includes('/') ? posix.dirname(path) : path);

const includes = (names: readonly string[] = [], room: string): boolean =>
  names.some((name) => room === name || (name.endsWith('**') && `${room}/`.startsWith(name.slice(0, -2))));

function isAllowed({ from, path, package: name = '' }: Import): boolean {
  const room = roomOf(from);
  if (path === undefined) return includes(packages[name]?.split(' '), room);
  return roomOf(path) === room || includes(allowed.get(room), roomOf(path));
}

/** Leaves out, again and again, each room that imports none of the others, or that none of them imports: the rest form a circle. */
function findCircle(imports: readonly Import[]): string[] {
  let between = imports.flatMap(({ from, path }) =>
    path === undefined || roomOf(from) === roomOf(path) ? [] : [[roomOf(from), roomOf(path)] as const],
  );
  for (let before = Number.NaN; before !== between.length; ) {
    before = between.length;
    const importing = new Set(between.map(([from]) => from));
    const imported = new Set(between.map(([, to]) => to));
    between = between.filter(([from, to]) => imported.has(from) && importing.has(to));
  }
  const circle = [...new Set(between.flat())].sort();
  return circle.length === 0 ? [] : [`${circle.join(', ')} import each other`];
}

function findWrongRooms(files: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const room of files.map(roomOf)) counts.set(room, (counts.get(room) ?? 0) + 1);
  return [
    ...[...counts.keys()]
      .filter((room) => !allowed.has(room))
      .map((room) => `${room} is not in the table of rooms`),
    ...[...allowed.keys()]
      .filter((room) => !existsSync(join(projectFolder, room)))
      .map((room) => `${room} is in the table of rooms, and does not exist`),
    ...[...counts].flatMap(([room, count]) =>
      count > maxFiles ? [`${room} has ${count} files, more than ${maxFiles}`] : [],
    ),
  ];
}

/** Returns what the tables allow and no file does, a line each. */
export function findUnused(imports: readonly Import[]): string[] {
  const ofRooms = [...allowed].map(([room, names]) => {
    const own = imports.flatMap(({ from, path }) => (path && roomOf(from) === room ? roomOf(path) : []));
    return { owner: room, names, used: own };
  });
  const ofPackages = Object.entries(packages).map(([name, rooms]) => {
    const importers = imports.flatMap((each) => (each.package === name ? roomOf(each.from) : []));
    return { owner: name, names: rooms.split(' '), used: importers };
  });
  return [...ofRooms, ...ofPackages].flatMap(({ owner, names, used }) =>
    names
      .filter((name) => !used.some((room) => includes([name], room)))
      .map((name) => `${name} is in the row of ${owner}, and not needed`),
  );
}
