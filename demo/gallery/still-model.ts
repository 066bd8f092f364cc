import { type CheckoutModel, type Settings, type State, signal } from '../../src/model/index.ts';
import { loadLanguage } from '../../src/model/language.ts';
import { createText } from '../../src/model/text.ts';

/** A model that stands still: nothing is asked for, no time passes, and no button leads anywhere. */
export async function createStillModel(state: State, settings: Settings): Promise<CheckoutModel> {
  const speaker = createText(settings.text);
  const { tag, words } = await loadLanguage(settings, []);
  speaker.speak(tag, words);
  const nothing = (): void => {};
  return {
    text: speaker.text,
    get locale() {
      return speaker.locale;
    },
    learn: speaker.learn,
    state: signal(state),
    settings: signal(settings),
    isFreeToReturn: signal(settings.returnAfterSeconds !== undefined),
    clock: { now: () => 0, setTimer: () => nothing },
    emit: () => true,
    restart: nothing,
    refresh: nothing,
    saySent: nothing,
    sayNotSent: nothing,
    update: nothing,
    stop: nothing,
  };
}
