import { loadLazyPart } from '../core/connection/lazy-part.ts';
import type { Messages } from './messages.ts';

export type Language = {
  /** The language's name in the language itself. */
  readonly name: string;
  /** The speaker who has reviewed every message; null until then. An unreviewed language is used, or offered, only where a merchant names it. */
  readonly reviewedBy: string | null;
};

/**
 * The languages besides English, by tag. To add one: write a file like `fr.ts`, add a line here and one in `files`, and run `npm run docs`;
 * once it is reviewed, add its tag to `reviewedTags`.
 */
export const languages = {
  ar: { name: 'العربية', reviewedBy: null },
  es: { name: 'Español', reviewedBy: null },
  fr: { name: 'Français', reviewedBy: null },
  ha: { name: 'Hausa', reviewedBy: null },
  ig: { name: 'Igbo', reviewedBy: null },
  pcm: { name: 'Naijá', reviewedBy: null },
  pt: { name: 'Português', reviewedBy: null },
  sw: { name: 'Kiswahili', reviewedBy: null },
  yo: { name: 'Yorùbá', reviewedBy: null },
} as const satisfies { readonly [tag: string]: Language };

type Tag = keyof typeof languages;

const files: { readonly [T in Tag]: () => Promise<{ readonly [Name in T]: Messages }> } = {
  ar: () => import('./ar.ts'),
  es: () => import('./es.ts'),
  fr: () => import('./fr.ts'),
  ha: () => import('./ha.ts'),
  ig: () => import('./ig.ts'),
  pcm: () => import('./pcm.ts'),
  pt: () => import('./pt.ts'),
  sw: () => import('./sw.ts'),
  yo: () => import('./yo.ts'),
};

/** The reviewed languages, from which `auto` chooses. */
export const reviewedTags: readonly string[] = ['en'];

/**
 * Loads the messages of a language; undefined for a language that we do not have.
 *
 * @throws {CheckoutError} `load_failed`
 */
export async function loadMessages(tag: string): Promise<Messages | undefined> {
  if (!Object.keys(files).includes(tag)) return undefined;
  const file = await loadLazyPart<{ readonly [Name in Tag]?: Messages }>(tag, files[tag as Tag]);
  return file[tag as Tag];
}
