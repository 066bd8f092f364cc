/** Creates what the tabs of one browser share: storage. Its events are asynchronous. */
export function createFakeBrowser() {
  let stored: string | null = null;
  let language: string | null = null;
  let reported: string | null = null;
  const pages = new Set<(type: string) => void>();

  return {
    readLanguage: () => language,
    writeLanguage: (tag: string) => {
      language = tag;
    },
    readReported: () => reported,
    writeReported: (text: string) => {
      reported = text;
    },
    readStored: () => stored,
    /** Notifies the other pages when the text has changed. */
    writeStored: (text: string, writer?: (type: string) => void) => {
      const isNews = text !== stored;
      stored = text;
      if (isNews) for (const page of pages) if (page !== writer) setImmediate(() => page('storage'));
    },
    addPage: (notify: (type: string) => void) => pages.add(notify),
  };
}

export type FakeBrowser = ReturnType<typeof createFakeBrowser>;
