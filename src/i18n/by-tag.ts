import { ownCopy } from '../contract/own-fields.ts';

/** Returns the language of a tag, without its region. */
export const baseOf = (tag: string): string => tag.replace(/-.*/, '').toLowerCase();

/** Returns what a table has for a language tag, or else for its language. It finds nothing inherited: `valueOf` is a language tag, too. */
export function findByTag<T>(table: { readonly [tag: string]: T } | undefined, tag: string): T | undefined {
  const own = ownCopy(table ?? {});
  return own[tag] ?? own[baseOf(tag)];
}
