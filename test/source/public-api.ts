import { entries, openProject } from '../../docs/generate/compiler.ts';
import { createNamesReader, type PublicName } from '../../docs/generate/public-names.ts';

/** Shortens a printed type of ours to its name, and an object or a union to its first letters. */
const shorten = (type: string): string => {
  const line = type.replace(/import\('[^']+'\)\./g, '').replace(/\s+/g, ' ');
  return line.length > 160 ? `${line.slice(0, 157)}...` : line;
};

/** Prints a name with its signature; a type with members, with their names. */
function declare({ name, values, type, members }: PublicName): string {
  const names = members.map((member) => member.name).join(', ');
  const types = type === undefined ? [] : [shorten(type)];
  return [...values.map(shorten), ...(names === '' ? types : [`type ${name} { ${names} }`])].join('\n');
}

/** Returns what each entry of the package exports. A name that several entries export is described once. */
export function describePublicApi(): string {
  const { project, close } = openProject();
  const read = createNamesReader(project);
  const homes = new Map<number, string>();
  const sections = entries.map(([entry, path]) => {
    const lines = read(path).map((one) => {
      const home = homes.get(one.id);
      homes.set(one.id, home ?? entry);
      return home === undefined ? declare(one) : `${one.name}: see ${home}`;
    });
    return [`# ${entry}`, ...lines].join('\n');
  });
  close();
  return `${sections.join('\n\n')}\n`;
}
