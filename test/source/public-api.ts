import { entries, openProject } from '../../docs/generate/compiler.ts';
import { createNamesReader, type PublicName } from '../../docs/generate/public-names.ts';

/** A type of ours in a printed type: the file that exports it, and its name. */
const ownType = /import\('(\.\/[^']+)'\)\.(\w+)/g;

/** Prints a name as a declaration file does. The members of a class or interface follow it. */
const declare = ({ name, values, type, members }: PublicName): string =>
  type === undefined && members.length > 0
    ? [
        values[0] ?? `interface ${name}`,
        ...values.slice(1),
        ...members.map((one) => `${one.name}: ${one.type}`),
      ].join('\n    ')
    : [...values, ...(type === undefined ? [] : [type])].join('\n');

/** Returns what each entry of the package exports, and then the types of ours that these name. Each is printed once. */
export function describePublicApi(): string {
  const { project, close } = openProject();
  const read = createNamesReader(project, true);
  const homes = new Map<number, string>();
  const named = new Set<string>();
  const print = (one: PublicName, section: string): string => {
    const home = homes.get(one.id);
    if (home !== undefined) return `${one.name}: see ${home}`;
    homes.set(one.id, section);
    return declare(one).replace(ownType, (found, _path, name) => {
      named.add(found);
      return name;
    });
  };

  const sections = entries.map(([entry, path]) => [
    `# ${entry}`,
    ...read(path).map((one) => print(one, entry)),
  ]);
  const others = ['# types that these name'];
  const modules = new Map<string, PublicName[]>();
  // The set grows while it is read.
  for (const found of named) {
    const [, path = '', name = ''] = new RegExp(ownType.source).exec(found) ?? [];
    const exported = modules.get(path) ?? read(path);
    modules.set(path, exported);
    const one = exported.find((each) => each.name === name);
    if (one && !homes.has(one.id)) others.push(print(one, 'below'));
  }
  close();
  return `${[...sections, others].map((lines) => lines.join('\n\n')).join('\n\n\n')}\n`;
}
