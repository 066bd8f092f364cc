/** A key, or two that are pressed together. */
export type Key = 'Tab' | 'Escape' | 'Control+v';

/** What the journeys need of a page, in whatever browser. Selectors reach into shadow roots. */
export type JourneyPage = {
  /** Resolves when the page can be read; more of it may come. */
  readonly open: (url: string) => Promise<void>;
  readonly reload: () => Promise<void>;
  /** Runs a function in the page, and gives what it, or its promise, has come to. */
  readonly evaluate: <Result, Given = undefined>(
    run: (given: Given) => Result | Promise<Result>,
    given?: Given,
  ) => Promise<Result>;
  /** Presses an element that is there, as a mouse does. */
  readonly click: (selector: string) => Promise<void>;
  readonly press: (key: Key) => Promise<void>;
};

/** A browser that the journeys are made in. */
export type JourneyBrowser = {
  /** A shopper who has never been here, with a window as wide as that, or as narrow as it goes. */
  readonly newPage: (width: number) => Promise<JourneyPage>;
  readonly close: () => Promise<void>;
};
