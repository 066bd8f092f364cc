import type { DedicatedAccountView } from '../../../src/contract/index.ts';
import type { State } from '../../../src/core/machine/state.ts';
import type { Settings } from '../../../src/widget/model/settings.ts';

/** One screen of the gallery as plain data: the checkout in one state, or a dedicated account. */
export type GalleryScreen = StateScreen | AccountScreen;
export type StateScreen = ScreenBase & {
  readonly state: State;
  /** The state before, if it makes a difference. */
  readonly before?: State;
  /** How long the state has been shown, if it makes a difference. */
  readonly stoodMs?: number;
};
export type AccountScreen = ScreenBase & { readonly view: DedicatedAccountView };

type ScreenBase = {
  /** As in the query: `/gallery?state=partlyPaid`. */
  readonly name: string;
  readonly settings?: Settings;
  /** CSS selectors inside the checkout of what is clicked, one after the other, once the screen is rendered. */
  readonly press?: readonly string[];
  /** Whether the clipboard refuses copies; by default it accepts them. */
  readonly clipboard?: 'refuses';
};
