import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ESTree, parseSync } from 'vite';
import { projectFolder } from './pages.ts';

/** A member of a type, an entry of an object, or one case of a union, with its doc comment. `type` is source text: of an entry, its value. */
export type Documented = {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
  readonly description: string;
  /** Of a case that is an object type: its other members. */
  readonly members: readonly string[];
};

type Node = { readonly type: string; readonly start: number; readonly end: number };
type SourceFile = {
  readonly text: string;
  readonly comments: readonly { readonly value: string; readonly end: number }[];
};
type Declared = {
  readonly path: string;
  readonly isType: boolean;
  readonly node: Node;
  readonly statement: Node;
  readonly file: SourceFile;
};

const declarations = new Map<string, Declared[]>();
for (const folder of ['src', 'server-kit']) readFolder(folder);

function readFolder(folder: string): void {
  const names = readdirSync(join(projectFolder, folder), { encoding: 'utf8', recursive: true });
  for (const name of names) if (/\.tsx?$/.test(name)) readSourceFile(`${folder}/${name}`);
}

/** Notes the types and constants that a file declares at its top level. */
function readSourceFile(path: string): void {
  const text = readFileSync(join(projectFolder, path), 'utf8');
  const { program, comments } = parseSync(path, text);
  for (const statement of program.body) {
    const note = (name: string, node: Node | null): void => {
      if (node === null) return;
      const isType = declaration?.type === 'TSTypeAliasDeclaration';
      const declared = { path, isType, node, statement, file: { text, comments } };
      declarations.set(name, [...(declarations.get(name) ?? []), declared]);
    };
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type === 'TSTypeAliasDeclaration') {
      note(declaration.id.name, declaration.typeAnnotation);
    } else if (declaration?.type === 'VariableDeclaration') {
      for (const { id, init } of declaration.declarations) if (id.type === 'Identifier') note(id.name, init);
    }
  }
}

/** @throws {Error} where not exactly one file below the folder declares the name */
function find(name: string, folder: string, isType: boolean): Declared {
  const found = (declarations.get(name) ?? []).filter(
    (declared) => declared.path.startsWith(`${folder}/`) && declared.isType === isType,
  );
  const [declared] = found;
  if (declared === undefined || found.length > 1) {
    throw new Error(
      `docs/generate/tables.ts needs ${name}: ${found.length} files below ${folder} declare it, not one.`,
    );
  }
  return declared;
}

/** Returns the members of an object type, those of the types that it extends by `&` first. */
export function membersOf(name: string, folder: string): Documented[] {
  const { node, file, path } = find(name, folder, true);
  return readMembers(node as ESTree.TSType, file, path.replace(/\/.*/, ''));
}

function readMembers(node: ESTree.TSType, file: SourceFile, half: string): Documented[] {
  if (node.type === 'TSIntersectionType') return node.types.flatMap((type) => readMembers(type, file, half));
  if (node.type === 'TSTypeLiteral') return node.members.flatMap((member) => readMember(member, file));
  if (node.type !== 'TSTypeReference' || node.typeName.type !== 'Identifier') return [];
  const [picked, names] = node.typeArguments?.params ?? [];
  if (picked === undefined) return membersOf(node.typeName.name, half);
  // Members of other computed types are not read.
  if (node.typeName.name !== 'Pick' || names === undefined) return [];
  const wanted = textOf(names, file);
  return readMembers(picked, file, half).filter(({ name }) => wanted.includes(`'${name}'`));
}

function readMember(member: ESTree.TSSignature, file: SourceFile): Documented[] {
  if (member.type !== 'TSPropertySignature') return [];
  const { key, typeAnnotation, optional } = member;
  const type = typeAnnotation === null ? 'unknown' : textOf(typeAnnotation.typeAnnotation, file);
  return [{ ...named(key, member, file), type, isOptional: optional }];
}

/** Returns the entries of the object literal that a constant holds, also as the argument of a call such as `v.strictObject()`. */
export function entriesOf(name: string, folder: string): Documented[] {
  const { node, file } = find(name, folder, false);
  const object = objectIn(node as ESTree.Expression);
  if (object === undefined) throw new Error(`docs/generate/tables.ts needs an object: ${name} is none.`);
  return object.properties.flatMap((property) =>
    property.type === 'Property'
      ? [{ ...named(property.key, property, file), type: textOf(property.value, file) }]
      : [],
  );
}

function objectIn(node: ESTree.Expression): ESTree.ObjectExpression | undefined {
  if (node.type === 'ObjectExpression') return node;
  if (node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression')
    return objectIn(node.expression);
  if (node.type === 'CallExpression')
    return node.arguments.map((each) => objectIn(each as ESTree.Expression)).find(Boolean);
  return undefined;
}

/** Returns the cases of a union of texts, or of objects that a member `type` tells apart. */
export function casesOf(name: string, folder: string): Documented[] {
  const { node, file } = find(name, folder, true);
  if (node.type !== 'TSUnionType') throw new Error(`docs/generate/tables.ts needs a union: ${name} is none.`);
  return (node as ESTree.TSUnionType).types.map((each) => {
    const type = each.type === 'TSParenthesizedType' ? each.typeAnnotation : each;
    if (type.type === 'TSLiteralType') {
      return {
        ...named(type.literal as ESTree.Expression, each, file),
        name: textOf(type, file).slice(1, -1),
      };
    }
    const members = readMembers(type, file, find(name, folder, true).path.replace(/\/.*/, ''));
    const tag = members.find((member) => member.name === 'type');
    const others = members.filter((member) => member !== tag).map((member) => member.name);
    return { ...named(each as never, each, file), name: tag?.type.slice(1, -1) ?? '', members: others };
  });
}

/**
 * Returns the doc comment of a type or a constant.
 *
 * @throws {Error} where it has none
 */
export function commentOf(name: string, folder: string, isType = true): string {
  const { statement, file } = find(name, folder, isType);
  const comment = commentBefore(statement, file);
  if (comment === '')
    throw new Error(`docs/generate/tables.ts needs the doc comment of ${name}: there is none.`);
  return comment;
}

function named(key: Node, node: Node, file: SourceFile): Documented {
  const name = textOf(key, file).replace(/^'(.*)'$/, '$1');
  return { name, type: '', isOptional: false, description: commentBefore(node, file), members: [] };
}

const textOf = ({ start, end }: Node, { text }: SourceFile): string =>
  text
    .slice(start, end)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ');

/** Returns the text of the doc comment that ends where the node begins, without its tags; empty where there is none. */
function commentBefore({ start }: Node, { text, comments }: SourceFile): string {
  const comment = comments.find(
    (each) =>
      each.value.startsWith('*') && each.end <= start && /^[\s|(]*$/.test(text.slice(each.end, start)),
  );
  const lines = (comment?.value ?? '').split('\n').map((line) => line.replace(/^\s*\*+ ?/, '').trimEnd());
  const [description = ''] = lines.join('\n').split(/^@/m);
  return description.trim();
}
