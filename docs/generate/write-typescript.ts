import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { entries, openProject } from './compiler.ts';
import { anchorOf, block, code, tableOf } from './markdown.ts';
import { projectFolder, typescriptFolder } from './pages.ts';
import { createNamesReader, type PublicName } from './public-names.ts';

/** The entry that describes each thing, by the compiler's number: the first that exports it. */
const homes = new Map<number, string>();

/** The name of an entry's page: `server-kit-stores-sqlite`. */
const pageNameOf = (entry: string): string =>
  entry.replace(/^transfer-checkout\/?/, '').replaceAll('/', '-') || 'transfer-checkout';

/** Joins the lines of a comment, except those of a list. */
const unwrap = (text: string): string =>
  text.replace(/([^\n])\n(?![\n-])/g, '$1 ').replace(/\{@link (\w+)\}/g, '`$1`');

/** Breaks a long union of texts. */
const wrap = (declared: string): string =>
  declared.length > 110 && !declared.includes('{') ? declared.replaceAll(' | ', '\n  | ') : declared;

/** Without the files of types. */
const shorten = (type: string): string => type.replace(/import\('[^']+'\)\./g, '');

function describeName({ name, description, throws, values, type, members }: PublicName): string {
  const rows = members.map((member) => [
    code(member.name),
    code(shorten(member.type).replace(/ \| undefined$/, '')),
    unwrap(member.description),
  ]);
  // The table has what an object type consists of.
  const declared = [...values, ...(type === undefined || rows.length > 0 ? [] : [type])].map(shorten);
  const parts = [
    `## ${name}`,
    unwrap(description),
    declared.length > 0 ? block(declared.map(wrap).join('\n'), 'ts') : '',
    ...throws.map((text) => `Throws ${unwrap(text)}.`),
    rows.length > 0 ? tableOf(['member', 'type', ''], rows) : '',
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function describeEntry(entry: string, names: readonly PublicName[]): string {
  for (const { id } of names) if (!homes.has(id)) homes.set(id, entry);
  const isHere = ({ id }: PublicName): boolean => homes.get(id) === entry;
  const others = names
    .filter((each) => !isHere(each))
    .map(({ id, name }) => {
      return `[\`${name}\`](${pageNameOf(homes.get(id) ?? '')}.md#${anchorOf(name)})`;
    });
  const also = others.length > 0 ? [`It also exports ${others.join(', ')}.`] : [];
  const use = block(`import { … } from '${entry}';`, 'ts');
  return [`# ${entry}`, use, ...names.filter(isHere).map(describeName), ...also].join('\n\n');
}

// Only the site has these pages: an editor shows the same comments, and each change of a comment would change them.
const folder = `${projectFolder}${typescriptFolder}`;
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const { project, close } = openProject();
const readNames = createNamesReader(project);
for (const [entry, path] of entries) {
  const names = readNames(path).sort((a, b) => a.name.localeCompare(b.name));
  writeFileSync(`${folder}${pageNameOf(entry)}.md`, `${describeEntry(entry, names)}\n`);
}
close();
