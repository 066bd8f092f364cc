import { signal } from '@preact/signals';
import type { State } from '../core/index.ts';
import { loadLanguage } from '../i18n/language.ts';
import { createText } from '../i18n/text.ts';
import type { CheckoutModel, Settings } from './checkout-model.ts';

const nothing = (): void => {};

/** A model that stands still: nothing is asked for, no time passes, and no button leads anywhere. */
export async function createStillModel(
  state: State,
  settings: Settings,
  preferredLanguages: readonly string[] = [],
): Promise<CheckoutModel> {
  const speaker = createText(settings.text);
  const { tag, words } = await loadLanguage(settings, preferredLanguages);
  speaker.speak(tag, words);
  return {
    speech: speaker.speech,
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
