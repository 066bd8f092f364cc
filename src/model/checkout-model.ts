import {
  createController,
  type Emit,
  type Environment,
  initialState,
  paymentOf,
  type Session,
  type State,
} from '../core/index.ts';
import type { OwnTexts } from '../locales/messages.ts';
import { chooseLanguage, isEnglish, type LanguageOptions, loadWords } from './language.ts';
import { mayLeave } from './leaving.ts';
import { type ReadonlySignal, signal } from './signal.ts';
import { createText, type Speaker } from './text.ts';

/** What a merchant says about how a checkout looks and where it leads. It may change while the checkout is there. */
export type Settings = LanguageOptions & {
  readonly merchantName?: string | undefined;
  /** Where "Back to the shop" leads: an absolute http(s) URL. */
  readonly returnUrl?: string | undefined;
  /** After how many seconds a paid checkout follows `returnUrl` by itself; never when left out. */
  readonly returnAfterSeconds?: number | undefined;
  /** Where help is: an absolute http(s) URL. */
  readonly supportUrl?: string | undefined;
  readonly supportEmail?: string | undefined;
  readonly text?: OwnTexts | undefined;
  readonly theme?: 'light' | 'dark' | 'auto' | undefined;
};

export type CheckoutModelOptions = Settings & {
  readonly environment: Environment;
  readonly baseUrl: string;
  /** JSON for the merchant's `createPayment`. */
  readonly body: string;
  readonly session?: Session | undefined;
  readonly emit?: Emit | undefined;
  /** The languages that the reader likes, best first. */
  readonly preferredLanguages?: readonly string[] | undefined;
};

/** All that the views show and may do. */
export type CheckoutModel = Pick<Speaker, 'text' | 'locale' | 'learn'> & {
  readonly state: ReadonlySignal<State>;
  /** How much time there is to pay, in milliseconds; undefined until the service's clock is known. */
  readonly remainingMs: ReadonlySignal<number | undefined>;
  readonly settings: ReadonlySignal<Settings>;
  /** Where the shopper wants to go, and has to be warned first. */
  readonly leaving: ReadonlySignal<(() => void) | undefined>;
  /** The payment was seen to get paid, and nobody has prevented what follows. */
  readonly mayReturn: ReadonlySignal<boolean>;
  readonly clock: Pick<Environment, 'now' | 'setTimer'>;
  readonly emit: Emit;
  readonly restart: () => void;
  readonly refresh: () => void;
  readonly saySent: () => void;
  readonly sayNotSent: () => void;
  /** Calls `go`, at once where nothing speaks against it, or when the shopper has read the warning. */
  readonly leave: (go: () => void) => void;
  /** The shopper does not leave after all. */
  readonly stay: () => void;
  /** Shows other settings, without a new start. */
  readonly update: (settings: Settings) => void;
  readonly stop: () => void;
};

/** How long words of another language may take before there is English instead. */
const languagePatienceMs = 4000;

/** Starts a checkout and gives its state as signals. Refuses nothing: options are checked where they come in. */
export function createCheckoutModel(options: CheckoutModelOptions): CheckoutModel {
  const { environment, preferredLanguages = [] } = options;
  const state = signal(initialState);
  const remainingMs = signal<number | undefined>(undefined);
  const settings = signal<Settings>(options);
  const leaving = signal<(() => void) | undefined>(undefined);
  const mayReturn = signal(false);
  const speaker = createText(options.text);
  let cancelWait = (): void => {};
  let wanted = 'en';

  const speak = (now: Settings): void => {
    const tag = chooseLanguage(now, preferredLanguages);
    if (tag === wanted) return;
    wanted = tag;
    cancelWait();
    if (isEnglish(tag, now)) return speaker.speak(tag, {});
    const speakEnglish = (): void => speaker.speak('en', {});
    speaker.speak(tag, undefined);
    cancelWait = environment.setTimer(speakEnglish, languagePatienceMs);
    loadWords(tag, now).then(
      (words) => {
        if (tag !== wanted) return;
        cancelWait();
        speaker.speak(words ? tag : 'en', words ?? {});
      },
      (error: unknown) => {
        if (tag !== wanted) return;
        cancelWait();
        environment.report(error);
        speakEnglish();
      },
    );
  };

  /** A page that is loaded when all is paid leads nowhere: the shopper may have come back to it. */
  let hasWaited = false;
  const emit: Emit = (name, detail) => {
    const isFree = options.emit?.(name, detail) ?? true;
    if (name === 'succeeded') mayReturn.value = isFree && hasWaited;
    return isFree;
  };

  speak(options);
  const controller = createController({
    ...options,
    emit,
    onState(next) {
      if (paymentOf(next)?.reference !== paymentOf(state.peek())?.reference) remainingMs.value = undefined;
      if (mayLeave(next) !== 'warned') leaving.value = undefined;
      hasWaited ||= 'payment' in next && next.name !== 'succeeded';
      state.value = next;
    },
    onRemaining(ms) {
      remainingMs.value = ms;
    },
  });

  return {
    ...controller,
    text: speaker.text,
    get locale() {
      return speaker.locale;
    },
    learn: speaker.learn,
    state,
    remainingMs,
    settings,
    leaving,
    mayReturn,
    clock: environment,
    emit,
    leave(go) {
      const how = mayLeave(state.peek());
      if (how === 'freely') go();
      else if (how === 'warned') leaving.value = go;
    },
    stay() {
      leaving.value = undefined;
    },
    update(next) {
      settings.value = next;
      speaker.use(next.text);
      speak(next);
    },
    stop() {
      cancelWait();
      wanted = '';
      controller.stop();
    },
  };
}
