import { type ReadonlySignal, signal } from '@preact/signals';
import { type ControllerOptions, createController } from '../../core/controller.ts';
import type { Environment } from '../../core/environment.ts';
import type { Emit } from '../../core/events.ts';
import { initialState, type State } from '../../core/state.ts';
import {
  english,
  isEnglishOnly,
  type LanguageOptions,
  type LoadedLanguage,
  loadLanguage,
  offeredLanguages,
} from '../../i18n/choose-language.ts';
import { createLocalization, type Localization } from '../../i18n/translator.ts';
import type { Settings } from '../../options/options.ts';
import { isPayable } from '../description/payment-facts.ts';

export type CheckoutModelOptions = Settings &
  Omit<ControllerOptions, 'onState'> & {
    readonly preferredLanguages?: readonly string[] | undefined;
  };

export type CheckoutModel = ReturnType<typeof createCheckoutModel>;
type Action = 'restart' | 'refresh' | 'claimTransfer' | 'withdrawClaim' | 'selectLanguage' | 'emit';
/** What a screen needs of a model: without the actions where nothing can change. */
export type ShownModel = Omit<CheckoutModel, Action | 'update' | 'stop'> &
  Partial<Pick<CheckoutModel, Action>>;

/** Returns true where the shopper may pay, or say that the money is sent. Otherwise the screen says that the page can be closed. */
export function isShopperNeeded(state: State): boolean {
  return isPayable(state) || (state.name === 'expired' && state.payment.outcome !== 'replaced');
}

export function createLeaving(state: ReadonlySignal<State>) {
  const pendingLeave = signal<(() => void) | undefined>(undefined);
  return {
    pendingLeave,
    leave(go: () => void): void {
      if (isShopperNeeded(state.peek())) pendingLeave.value = go;
      else go();
    },
    cancelLeave(): void {
      pendingLeave.value = undefined;
    },
  };
}

export function createCheckoutModel(options: CheckoutModelOptions) {
  const { environment, preferredLanguages = [] } = options;
  const state = signal(initialState);
  const settings = signal<Settings>(options);
  /** The payment succeeded on this page, and neither the page nor the shopper has prevented the redirect. */
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
    state: state as ReadonlySignal<State>,
    settings: settings as ReadonlySignal<Settings>,
    canAutoReturn,
    clock: environment as Pick<Environment, 'now' | 'date' | 'setTimer'>,
    leaving: createLeaving(state),
    emit,
    update(next: Settings): void {
      const { locale, languages } = settings.peek();
      settings.value = next;
      localization.setOptions(next);
      if (next.locale !== locale || next.languages !== languages) language.use(next);
    },
    selectLanguage(tag: string): void {
      language.select(tag);
      language.use(settings.peek());
    },
    stop(): void {
      language.stop();
      controller.stop();
    },
  };
}

/** How long the first language may take to load before English is shown. A later one replaces the current one when it is loaded. */
const languageTimeoutMs = 4000;

/** Creates the language switch of one checkout. A language that fails to load is reported; the current one, at first English, stays. */
function createLanguageSwitch(
  environment: Environment,
  { setLanguage }: Localization,
  preferredLanguages: readonly string[],
) {
  let selected = environment.readLanguage() ?? undefined;
  let current: LanguageOptions | undefined;
  let shown = english;
  let cancelTimeout = (): void => {};
  return {
    /** Loads and shows the language of these options, or the one that the shopper selected, where they offer it. The latest call wins. */
    use(settings: LanguageOptions): void {
      const isOffered = selected !== undefined && offeredLanguages(settings).includes(selected);
      const options = isOffered ? { ...settings, locale: selected } : settings;
      const show = (language: LoadedLanguage): void => {
        if (current !== options) return;
        shown = language;
        setLanguage(language.tag, language.messages);
      };
      const isFirst = current === undefined;
      cancelTimeout();
      current = options;
      if (isEnglishOnly(options)) return show(english);
      if (isFirst) {
        setLanguage('en', undefined);
        cancelTimeout = environment.setTimer(() => show(english), languageTimeoutMs);
      }
      loadLanguage(options, preferredLanguages)
        .catch((error: unknown) => {
          environment.report(error);
          // Shown again, so that the switch names it.
          return shown;
        })
        .then((language) => {
          if (current === options) cancelTimeout();
          show(language);
        });
    },
    select(tag: string): void {
      selected = tag;
      environment.writeLanguage(tag);
    },
    stop(): void {
      cancelTimeout();
      current = undefined;
    },
  };
}

/** Creates a model that never changes. @throws {CheckoutError} `load_failed` when the language cannot be loaded */
export async function createStaticModel(
  state: State,
  settings: Settings,
  preferredLanguages: readonly string[] = [],
): Promise<ShownModel> {
  const localization = createLocalization(settings);
  const { tag, messages } = await loadLanguage(settings, preferredLanguages);
  localization.setLanguage(tag, messages);
  return {
    translator: localization.translator,
    state: signal(state),
    settings: signal(settings),
    canAutoReturn: signal(false),
    clock: { now: () => 0, date: () => state.serviceOffsetMs ?? 0, setTimer: () => () => {} },
    leaving: createLeaving(signal(state)),
  };
}
