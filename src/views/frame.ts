import type { JSX } from 'preact';
import type { Screen } from './screen.ts';

/** What stands around a checkout that is not simply in its place. */
export type Frame = {
  /** What the checkout is shown in; in the shadow root. */
  readonly body: HTMLElement;
  readonly css: string;
  /** Stands at the end of the first line. */
  readonly Corner: (screen: Screen) => JSX.Element;
  /** Takes what has changed, whenever the checkout is drawn. */
  readonly update: (screen: Screen) => void;
};
