import type { CheckoutModel } from '../model/index.ts';
import { createLater as create, enMore, type Later, readLater } from '../model/more.ts';
import { notePressed } from './note-pressed.ts';
import { noteShown } from './note-shown.ts';
import type { Screen } from './screen.ts';
import { createVoices, type Voices } from './voices.ts';

export { fullTitleOf, leadsOf } from '../model/more.ts';
export { copySelection } from './copy-selection.ts';
export { Icon } from './icon.tsx';
export { TestMode } from './marks.tsx';
export { Missing } from './missing.tsx';
export { default as css } from './more.css?inline';
export { nameOfCopy } from './name-of-copy.ts';
export { Rest } from './rest.tsx';
export { enMore as words };

export type LaterPart = Later & {
  /** Adds to a screen what goes on beside it, and what is spoken. Whoever asks is run again when that changes. */
  readonly complete: (screen: Screen) => Screen;
  readonly leaveOut: Voices['leaveOut'];
  readonly pressed: () => Element | undefined;
};

/** Starts what goes on beside the screens that are drawn in `place`. */
export function createLater(model: CheckoutModel, place: Element): LaterPart {
  const later = create(model, (url) => location.assign(url));
  const { say, leaveOut, stop } = createVoices(model.clock);
  const forget = noteShown(model);
  return {
    ...later,
    leaveOut,
    pressed: notePressed(place),
    complete(screen) {
      const complete = { ...screen, ...readLater(later) };
      return { ...complete, voices: say(complete) };
    },
    stop() {
      later.stop();
      forget();
      stop();
    },
  };
}
