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
type Comment = { readonly value: string; readonly end: number };
type SourceFile = { readonly path: string; readonly text: string; readonly comments: readonly Comment[] };
/** A type or a constant that a file declares at its top level. */
type Declared = {
  readonly name: string;
  readonly isType: boolean;
  /** What it is declared as. */
  readonly node: Node;
  readonly statement: Node;
  readonly file: SourceFile;
};

const declarations = ['src', 'server-kit'].flatMap((folder) =>
  readdirSync(join(projectFolder, folder), { encoding: 'utf8', recursive: true })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => readDeclarations(`${folder}/${name}`)),
);

function readDeclarations(path: string): Declared[] {
  const text = readFileSync(join(projectFolder, path), 'utf8');
  const { program, comments } = parseSync(path, text);
  const file = { path, text, comments };
  return program.body.flatMap((statement): Declared[] => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type === 'TSTypeAliasDeclaration') {
      const { id, typeAnnotation: node } = declaration;
      return [{ name: id.name, isType: true, node, statement, file }];
    }
    if (declaration?.type !== 'VariableDeclaration') return [];
    return declaration.declarations.flatMap(({ id, init: node }) =>
      id.type === 'Identifier' && node ? [{ name: id.name, isType: false, node, statement, file }] : [],
    );
  });
}

/** @throws {Error} unless exactly one file below the folder declares the name */
function find(name: string, folder: string, isType: boolean): Declared {
  const found = declarations.filter(
    (each) => each.name === name && each.isType === isType && each.file.path.startsWith(`${folder}/`),
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
  const { node, file } = find(name, folder, true);
  return readMembers(node as ESTree.TSType, file);
}

function readMembers(node: ESTree.TSType, file: SourceFile): Documented[] {
  if (node.type === 'TSIntersectionType') return node.types.flatMap((type) => readMembers(type, file));
  if (node.type === 'TSTypeLiteral') return node.members.flatMap((member) => readMember(member, file));
  if (node.type !== 'TSTypeReference' || node.typeName.type !== 'Identifier') return [];
  const [picked, names] = node.typeArguments?.params ?? [];
  // `src` and `server-kit` each have a type CheckoutOptions.
  if (picked === undefined) return membersOf(node.typeName.name, file.path.replace(/\/.*/, ''));
  // Members of other computed types are not read.
  if (node.typeName.name !== 'Pick' || names === undefined) return [];
  const wanted = textOf(names, file);
  return readMembers(picked, file).filter(({ name }) => wanted.includes(`'${name}'`));
}

function readMember(member: ESTree.TSSignature, file: SourceFile): Documented[] {
  if (member.type !== 'TSPropertySignature') return [];
  const { key, typeAnnotation, optional } = member;
  const type = typeAnnotation === null ? 'unknown' : textOf(typeAnnotation.typeAnnotation, file);
  return [{ ...named(key, member, file), type, isOptional: optional }];
}

/** Returns the entries of the object literal that a constant holds, with those that it spreads; the literal may be the argument of a call such as `v.strictObject()`. */
export function entriesOf(name: string, folder: string): Documented[] {
  const { node, file } = find(name, folder, false);
  const object = objectIn(node as ESTree.Expression);
  if (object === undefined)
    throw new Error(`docs/generate/tables.ts reads ${name}, which must be an object.`);
  return object.properties.flatMap((property) => {
    if (property.type === 'Property')
      return [{ ...named(property.key, property, file), type: textOf(property.value, file) }];
    const { argument } = property;
    const isTable = argument.type === 'Identifier' && isObject(argument.name, folder);
    return isTable ? entriesOf(argument.name, folder) : [];
  });
}

const isObject = (name: string, folder: string): boolean =>
  declarations.some(
    (each) =>
      each.name === name &&
      each.file.path.startsWith(`${folder}/`) &&
      objectIn(each.node as ESTree.Expression) !== undefined,
  );

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
  if (node.type !== 'TSUnionType')
    throw new Error(`docs/generate/tables.ts reads ${name}, which must be a union.`);
  return (node as ESTree.TSUnionType).types.map((each) => {
    const type = each.type === 'TSParenthesizedType' ? each.typeAnnotation : each;
    if (type.type === 'TSLiteralType') {
      return { ...named(type, each, file), name: textOf(type, file).slice(1, -1) };
    }
    const members = readMembers(type, file);
    const tag = members.find((member) => member.name === 'type');
    const others = members.filter((member) => member !== tag).map((member) => member.name);
    return { ...named(each, each, file), name: tag?.type.slice(1, -1) ?? '', members: others };
  });
}

/**
 * Returns the doc comment of a type or a constant.
 *
 * @throws {Error} if it has none
 */
export function commentOf(name: string, folder: string, isType = true): string {
  const { statement, file } = find(name, folder, isType);
  const comment = commentBefore(statement, file);
  if (comment === '')
    throw new Error(`docs/generate/tables.ts reads the doc comment of ${name}, which has none.`);
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
