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
  readonly load: () => Promise<Messages>;
};

/**
 * The languages beside English, by tag, each a file of its own. A new one is a file of words like `fr.ts`, a line here,
 * and a line in the README.
 */
export const languages: { readonly [tag: string]: Language } = {
  ar: {
    name: 'العربية',
    reviewedBy: null,
    load: async () => (await loadPart('ar', () => import('./ar.ts'))).ar,
  },
  es: {
    name: 'Español',
    reviewedBy: null,
    load: async () => (await loadPart('es', () => import('./es.ts'))).es,
  },
  fr: {
    name: 'Français',
    reviewedBy: null,
    load: async () => (await loadPart('fr', () => import('./fr.ts'))).fr,
  },
  ha: {
    name: 'Hausa',
    reviewedBy: null,
    load: async () => (await loadPart('ha', () => import('./ha.ts'))).ha,
  },
  ig: {
    name: 'Igbo',
    reviewedBy: null,
    load: async () => (await loadPart('ig', () => import('./ig.ts'))).ig,
  },
  pcm: {
    name: 'Naijá',
    reviewedBy: null,
    load: async () => (await loadPart('pcm', () => import('./pcm.ts'))).pcm,
  },
  pt: {
    name: 'Português',
    reviewedBy: null,
    load: async () => (await loadPart('pt', () => import('./pt.ts'))).pt,
  },
  sw: {
    name: 'Kiswahili',
    reviewedBy: null,
    load: async () => (await loadPart('sw', () => import('./sw.ts'))).sw,
  },
  yo: {
    name: 'Yorùbá',
    reviewedBy: null,
    load: async () => (await loadPart('yo', () => import('./yo.ts'))).yo,
  },
};

/** The languages that `auto` may choose: those that somebody has reviewed. */
export const reviewedTags: readonly string[] = [
  'en',
  ...Object.keys(languages).filter((tag) => languages[tag]?.reviewedBy),
];
