import type { DedicatedAccountView, Settings, State } from '../../../src/model/index.ts';

/** One thing to look at: the checkout in one state, with all that the state depends on; or an account that stays. Plain data. */
export type GalleryScreen = StateScreen | AccountScreen;
export type StateScreen = ScreenBase & {
  readonly state: State;
  /** What was on the screen before, where that makes a difference. */
  readonly before?: State;
  /** For how long it has been there, where that does. */
  readonly stoodMs?: number;
};
export type AccountScreen = ScreenBase & { readonly view: DedicatedAccountView };

type ScreenBase = {
  /** As in the address: `/gallery?state=partlyPaid`. */
  readonly name: string;
  readonly settings?: Settings;
  /** What is pressed once the screen stands, one after the other, as CSS selectors inside the checkout. */
  readonly press?: readonly string[];
  /** What is there only once all that was pressed has come. */
  readonly until?: string;
  /** What a copy meets: a clipboard that works, unless it is said to refuse. */
  readonly clipboard?: 'refuses';
};
