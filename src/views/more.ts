import { signal } from '@preact/signals';
import type { CheckoutModel } from '../model/index.ts';
import { createLater as create, enMore, type Later, readLater } from '../model/more.ts';
import { fetchAhead } from './fetch-ahead.ts';
import { createFocus } from './focus.ts';
import { likedLanguages } from './liked-languages.ts';
import { noteShown } from './note-shown.ts';
import { pressBeside } from './press-beside.ts';
import type { Screen } from './screen.ts';
import { createVoices } from './voices.ts';

export { fullTitleOf, leadsOf, ownPolicies } from '../model/more.ts';
export { copySelection } from './copy-selection.ts';
export { Details } from './details.tsx';
export { Icon } from './icon.tsx';
export { LeaveQuestion } from './leave-question.tsx';
export { TestMode } from './marks.tsx';
export { Missing } from './missing.tsx';
export { default as css } from './more.css?inline';
export { nameOfCopy } from './name-of-copy.ts';
export { Rest } from './rest.tsx';
export { writeInTime } from './write-in-time.ts';
export { enMore as words };

export type LaterPart = Later & {
  /** Adds to a screen what goes on beside it, and what is spoken. Whoever asks is run again when that changes. */
  readonly complete: (screen: Screen) => Screen;
  /** Called when a screen is drawn, with what had the focus before. */
  readonly keepFocus: (focused: Element | null) => void;
};

/** Starts what goes on beside the screens that are drawn in `place`. */
export function createLater(model: CheckoutModel, place: Element): LaterPart {
  const later = create(model, (url) => location.assign(url));
  const { say, leaveOut, stop } = createVoices(model.clock);
  const forget = noteShown(model);
  const focus = createFocus(place, leaveOut);
  const preferred = likedLanguages((place.getRootNode() as ShadowRoot).host);
  const note = signal<{ text: string | undefined; of: string } | undefined>(undefined);
  const stopFetching = fetchAhead(model);
  place.addEventListener('click', pressBeside);
  return {
    ...later,
    keepFocus: focus.keep,
    complete(screen) {
      const complete = { ...screen, speech: { ...screen.speech, preferred }, ...readLater(later) };
      focus.note(!!complete.leaving);
      const of = screen.state.name;
      return {
        ...complete,
        voices: say(complete),
        note: note.value?.of === of ? note.value.text : undefined,
        setNote: (text) => {
          note.value = { text, of };
        },
      };
    },
    stop() {
      later.stop();
      forget();
      stop();
      stopFetching();
    },
  };
}
