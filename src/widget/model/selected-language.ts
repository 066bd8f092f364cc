import type { Environment } from '../../core/connection/environment.ts';

/** The language that the shopper selected. */
export type SelectedLanguage = {
  readonly read: () => string | undefined;
  readonly write: (tag: string) => void;
};

/** Remembers the selected language for the visit; where storage is blocked, for this checkout. */
export function createSelectedLanguage({ readLanguage, writeLanguage }: Environment): SelectedLanguage {
  let selected: string | undefined;
  try {
    selected = readLanguage() ?? undefined;
  } catch {
    // Blocked: nothing was selected before.
  }
  return {
    read: () => selected,
    write(tag) {
      selected = tag;
      try {
        writeLanguage(tag);
      } catch {
        // Blocked or full: it is lost with the page.
      }
    },
  };
}
