import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Environment } from '../../core/connection/environment.ts';
import { type Controller, type ControllerOptions, createController } from '../../core/controller.ts';
import type { Emit } from '../../core/machine/checkout-events.ts';
import { initialState, type State } from '../../core/machine/state.ts';
import { createLocalization, type Translator } from '../../i18n/translator.ts';
import type { Settings } from './settings.ts';
import { createLanguageSwitch } from './switch-language.ts';

export type CheckoutModelOptions = Settings &
  Omit<ControllerOptions, 'onState'> & {
    /** The reader's languages, best first. */
    readonly preferredLanguages?: readonly string[] | undefined;
  };

/** Everything that the views read, and the actions that they call. */
export type CheckoutModel = Controller & {
  readonly emit: Emit;
  readonly translator: ReadonlySignal<Translator>;
  readonly state: ReadonlySignal<State>;
  readonly settings: ReadonlySignal<Settings>;
  /** The payment succeeded on this page, and neither the page nor the shopper has prevented the redirect. */
  readonly canAutoReturn: Signal<boolean>;
  readonly clock: Pick<Environment, 'now' | 'date' | 'setTimer'>;
  /** Applies other settings without a restart. */
  readonly update: (settings: Settings) => void;
  /** Shows another of the offered languages, for this visit. Undefined where nothing can change. */
  readonly selectLanguage?: (tag: string) => void;
};

/** Starts a checkout and returns its state as signals. Expects validated options. */
export function createCheckoutModel(options: CheckoutModelOptions): CheckoutModel {
  const { environment, preferredLanguages = [] } = options;
  const state = signal(initialState);
  const settings = signal<Settings>(options);
  const canAutoReturn = signal(false);
  const localization = createLocalization(options);
  const language = createLanguageSwitch(environment, localization, preferredLanguages);

  /** A payment that was paid before the page loaded must not redirect: the shopper may have come back to this page. */
  let wasUnpaid = false;
  const emit: Emit = (name, detail) => {
    const isDefaultAllowed = options.emit?.(name, detail) ?? true;
    if (name === 'succeeded') canAutoReturn.value = isDefaultAllowed && wasUnpaid;
    return isDefaultAllowed;
  };

  language.use(options);
  const controller = createController({
    ...options,
    emit,
    onState(next) {
      wasUnpaid ||= 'payment' in next && next.name !== 'succeeded';
      state.value = next;
    },
  });

  return {
    ...controller,
    translator: localization.translator,
    state,
    settings,
    canAutoReturn,
    clock: environment,
    emit,
    update(next) {
      const { locale, languages } = settings.peek();
      settings.value = next;
      localization.setOptions(next);
      if (next.locale !== locale || next.languages !== languages) language.use(next);
    },
    selectLanguage(tag) {
      language.select(tag);
      language.use(settings.peek());
    },
    stop() {
      language.stop();
      controller.stop();
    },
  };
}
