import type { State } from '../../../src/core/state.ts';
import type { Settings } from '../../../src/options/options.ts';

/** One screen of the gallery as plain data: the checkout in one state. */
export type GalleryScreen = {
  /** As in the query: `/gallery?state=partlyPaid`. */
  readonly name: string;
  readonly state: State;
  /** The state before, if it makes a difference. */
  readonly before?: State;
  /** How long the state has been shown, if it makes a difference. */
  readonly stoodMs?: number;
  readonly settings?: Settings;
  /** CSS selectors inside the checkout of what is clicked, one after the other, once the screen is rendered. */
  readonly press?: readonly string[];
  /** Whether the clipboard refuses copies; by default it accepts them. */
  readonly clipboard?: 'refuses';
};
