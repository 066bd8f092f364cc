import { signal } from '@preact/signals';
import type { State } from '../../core/machine/state.ts';
import { loadLanguage } from '../../i18n/choose-language.ts';
import { createLocalization } from '../../i18n/translator.ts';
import type { CheckoutModel } from './checkout-model.ts';
import type { Settings } from './settings.ts';

const doNothing = (): void => {};

/**
 * Creates a model that never changes: it sends no requests, runs no timers, and its actions do nothing.
 *
 * @throws {CheckoutError} `load_failed` when the language cannot be loaded
 */
export async function createStaticModel(
  state: State,
  settings: Settings,
  preferredLanguages: readonly string[] = [],
): Promise<CheckoutModel> {
  const localization = createLocalization(settings);
  const { tag, messages } = await loadLanguage(settings, preferredLanguages);
  localization.setLanguage(tag, messages);
  return {
    translator: localization.translator,
    state: signal(state),
    settings: signal(settings),
    canAutoReturn: signal(false),
    clock: { now: () => 0, date: () => state.serviceOffsetMs ?? 0, setTimer: () => doNothing },
    emit: () => true,
    restart: doNothing,
    refresh: doNothing,
    claimTransfer: doNothing,
    withdrawClaim: doNothing,
    update: doNothing,
    stop: doNothing,
  };
}
