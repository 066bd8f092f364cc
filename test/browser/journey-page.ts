/** A key, or two pressed together. */
export type Key = 'Tab' | 'Escape' | 'Control+v';

/** The page functions that journeys use in any browser. Selectors reach into shadow roots. */
export type JourneyPage = {
  /** Resolves when the page is readable; it may still load more. */
  readonly open: (url: string) => Promise<void>;
  readonly reload: () => Promise<void>;
  /** Makes the first frame of the page the one that the functions below use, until the next `open`. */
  readonly enterFrame: () => Promise<void>;
  /** Runs a function in the page, and returns its result or resolved promise. */
  readonly evaluate: <Result, Given = undefined>(
    run: (given: Given) => Result | Promise<Result>,
    given?: Given,
  ) => Promise<Result>;
  /** Clicks an element with the mouse. */
  readonly click: (selector: string) => Promise<void>;
  readonly pressKey: (key: Key) => Promise<void>;
};

/** A browser that runs the journeys. */
export type JourneyBrowser = {
  /** Opens a new shopper's window with this width, or the narrowest possible. */
  readonly newPage: (width: number) => Promise<JourneyPage>;
  readonly close: () => Promise<void>;
};
