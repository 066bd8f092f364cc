import { loadPart } from '../core/index.ts';
import type { Messages } from './messages.ts';

export type Language = {
  /** Its own name for itself. */
  readonly name: string;
  /**
   * Who speaks it and has read all of it; null as long as nobody has. A language that nobody has reviewed is used only where
   * a merchant names it.
   */
  readonly reviewedBy: string | null;
};

/**
 * The languages beside English, by tag, each a file of its own. A new one is a file of words like `fr.ts`, a line here and one
 * below, and a line in the README; once it is reviewed, its tag goes into `reviewedTags` too.
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

/** The languages that `auto` may choose: those that somebody has reviewed. */
export const reviewedTags: readonly string[] = ['en'];

/**
 * Loads the words of a language; undefined where there are none.
 *
 * @throws {CheckoutError} `load_failed`
 */
export async function loadWords(tag: string): Promise<Messages | undefined> {
  if (!Object.hasOwn(files, tag)) return undefined;
  const file = await loadPart<{ readonly [Name in Tag]?: Messages }>(tag, files[tag as Tag]);
  return file[tag as Tag];
}
