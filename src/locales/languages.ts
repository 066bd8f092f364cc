import type { Messages } from './messages.ts';

export type Language = {
  /** Its own name for itself. */
  readonly name: string;
  readonly load: () => Promise<Messages>;
  /** Who speaks it and has read it all. A language that nobody has reviewed is only used where a merchant names it. */
  readonly reviewedBy?: string;
};

/**
 * The languages beside English, by tag. A new one is a file of words like `fr.ts` and a line here; once it is reviewed,
 * its tag goes into `reviewedTags` too.
 */
export const languages: { readonly [tag: string]: Language } = {
  fr: { name: 'Français', load: async () => (await import('./fr.ts')).fr },
};
