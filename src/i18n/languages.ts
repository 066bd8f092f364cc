import { loadPart } from '../core/load-part.ts';
import type { Messages } from './messages.ts';

export type Language = {
  readonly name: string;
  /** The speaker who has reviewed every message; null until then. An unreviewed language is used, or offered, only where a merchant names it. */
  readonly reviewedBy: string | null;
  readonly load: () => Promise<LanguageFile>;
};

type LanguageFile = { readonly [tag: string]: Messages };

/** The languages besides English, by tag. To add one: write a file like `fr.ts`, add a line here, and run `npm run docs`. */
export const languages = {
  ar: { name: 'العربية', reviewedBy: null, load: () => import('./ar.ts') },
  es: { name: 'Español', reviewedBy: null, load: () => import('./es.ts') },
  fr: { name: 'Français', reviewedBy: null, load: () => import('./fr.ts') },
  ha: { name: 'Hausa', reviewedBy: null, load: () => import('./ha.ts') },
  ig: { name: 'Igbo', reviewedBy: null, load: () => import('./ig.ts') },
  pcm: { name: 'Naijá', reviewedBy: null, load: () => import('./pcm.ts') },
  pt: { name: 'Português', reviewedBy: null, load: () => import('./pt.ts') },
  sw: { name: 'Kiswahili', reviewedBy: null, load: () => import('./sw.ts') },
  yo: { name: 'Yorùbá', reviewedBy: null, load: () => import('./yo.ts') },
} as const satisfies { readonly [tag: string]: Language };

const table = new Map<string, Language>(Object.entries(languages));

export const reviewedTags: readonly string[] = [
  'en',
  ...[...table].flatMap(([tag, { reviewedBy }]) => (reviewedBy ? [tag] : [])),
];

export const findLanguage = (tag: string): Language | undefined => table.get(tag);

/** Loads the messages of a language; undefined for one that we do not have. @throws {CheckoutError} `load_failed` */
export async function loadMessages(tag: string): Promise<Messages | undefined> {
  const load = findLanguage(tag)?.load;
  return load && (await loadPart(tag, load))[tag];
}
