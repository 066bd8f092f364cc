import { type ReadonlySignal, signal } from '@preact/signals';
import {
  createController,
  type Emit,
  type Environment,
  initialState,
  type Session,
  type SessionWorkOptions,
  type State,
} from '../core/index.ts';
import { type LanguageOptions, loadLanguage } from '../i18n/language.ts';
import { reviewedTags } from '../i18n/languages.ts';
import type { OwnTexts, Words } from '../i18n/messages.ts';
import { createText, type Speech } from '../i18n/text.ts';

/** A bank that can be dialled: `{ bank: 'Bank', template: '*901*{amount}*{account}#' }`; the amount is in whole major units. */
export type UssdBank = { readonly bank: string; readonly template: string };

/** What a merchant says of the shop and of what a checkout offers. Addresses are absolute once they are checked. */
export type ShopOptions = LanguageOptions & {
  /** The shop's name, shown at the top. */
  readonly merchantName?: string | undefined;
  /** Where "Back to the shop" leads: an http(s) URL, or one relative to the page. */
  readonly returnUrl?: string | undefined;
  /** After how many seconds, 3 or more, a payment that has succeeded follows `returnUrl` by itself. Never when left out. */
  readonly returnAfterSeconds?: number | undefined;
  /** Where "Get help" leads: an http(s) URL. It gets the payment's reference as `?reference=`. */
  readonly supportUrl?: string | undefined;
  /** Whom "Get help" writes to, where there is no `supportUrl`. The reference is in the subject. */
  readonly supportEmail?: string | undefined;
  /**
   * A page of the shop where anybody can pay this order: an http(s) URL, or one relative to the page. The QR code leads
   * there, and it is what a shopper shares. Without it both hold the details of the account.
   */
  readonly payLink?: string | undefined;
  /** Offers to share what is to be paid with somebody else who pays. */
  readonly shareDetails?: boolean | undefined;
  /** The banks whose USSD code can be dialled from here. Not shown where a code cannot say the amount. */
  readonly ussd?: readonly UssdBank[] | undefined;
  /** Other words than ours, by the keys of `Messages`: for all languages, or by language. */
  readonly text?: OwnTexts | undefined;
};

/** That, and how a checkout looks. It may change while the checkout is there. */
export type Settings = ShopOptions & {
  readonly theme?: 'light' | 'dark' | 'auto' | undefined;
  /** Custom properties of the card by their names, such as `--checkout-accent`. */
  readonly variables?: { readonly [name: string]: string } | undefined;
  /** The shop's sign: an http(s) or `data:` URL. With words for it (`alt`) it stands for the shop's name. */
  readonly logo?: { readonly src: string; readonly alt: string } | undefined;
};

export type CheckoutModelOptions = Settings & {
  readonly environment: Environment;
  readonly baseUrl: string;
  readonly credentials?: RequestCredentials | undefined;
  /** JSON for the merchant's `createPayment`. */
  readonly body: string;
  readonly session?: Session | undefined;
  readonly returned?: SessionWorkOptions['returned'];
  readonly takeSent?: SessionWorkOptions['takeSent'];
  readonly emit?: Emit | undefined;
  /** The languages that the reader likes, best first. */
  readonly preferredLanguages?: readonly string[] | undefined;
};

/** What a shopper can do. */
export type Actions = {
  readonly emit: Emit;
  readonly restart: () => void;
  readonly refresh: () => void;
  readonly saySent: () => void;
  readonly sayNotSent: () => void;
};

/** All that the views show and may do. */
export type CheckoutModel = Actions & {
  /** The words and the language of the moment. */
  readonly speech: ReadonlySignal<Speech>;
  readonly state: ReadonlySignal<State>;
  readonly settings: ReadonlySignal<Settings>;
  /** The payment was seen to get paid, and nobody has prevented what follows. */
  readonly isFreeToReturn: ReadonlySignal<boolean>;
  readonly clock: Pick<Environment, 'now' | 'setTimer'>;
  /** Shows other settings, without a new start. */
  readonly update: (settings: Settings) => void;
  readonly stop: () => void;
};

/** A language that is spoken, and its words. */
type Spoken = { readonly tag: string; readonly words: Words };
const english: Spoken = { tag: 'en', words: {} };

/** How long the first words may take before there is English instead. Later, what is said already stays until others are there. */
const languagePatienceMs = 4000;

/** True where no language but English can be meant, so that nothing has to be loaded to find out. */
const isPlainEnglish = ({ locale = 'auto', languages }: LanguageOptions): boolean =>
  !languages && (locale === 'en' || (locale === 'auto' && reviewedTags.length === 1));

/** Starts a checkout and gives its state as signals. Refuses nothing: options are checked where they come in. */
export function createCheckoutModel(options: CheckoutModelOptions): CheckoutModel {
  const { environment, preferredLanguages = [] } = options;
  const state = signal(initialState);
  const settings = signal<Settings>(options);
  const isFreeToReturn = signal(false);
  const speaker = createText(options.text);
  let stopWaiting = (): void => {};
  let spoken: Settings | undefined;

  const speak = (now: Settings): void => {
    const takeWords = ({ tag, words }: Spoken = english): void => {
      if (spoken === now) speaker.speak(tag, words);
    };
    stopWaiting();
    const isFirst = spoken === undefined;
    spoken = now;
    if (isPlainEnglish(now)) return takeWords();
    if (isFirst) {
      speaker.speak('en', undefined);
      stopWaiting = environment.setTimer(takeWords, languagePatienceMs);
    }
    loadLanguage(now, preferredLanguages)
      .catch((error: unknown) => {
        environment.report(error);
        return english;
      })
      .then((language) => {
        if (spoken === now) stopWaiting();
        takeWords(language);
      });
  };

  /** A page that is loaded when all is paid leads nowhere: the shopper may have come back to it. */
  let hasWaited = false;
  const emit: Emit = (name, detail) => {
    const isFree = options.emit?.(name, detail) ?? true;
    if (name === 'succeeded') isFreeToReturn.value = isFree && hasWaited;
    return isFree;
  };

  speak(options);
  const controller = createController({
    ...options,
    emit,
    onState(next) {
      hasWaited ||= 'payment' in next && next.name !== 'succeeded';
      state.value = next;
    },
  });

  return {
    ...controller,
    speech: speaker.speech,
    state,
    settings,
    isFreeToReturn,
    clock: environment,
    emit,
    update(next) {
      const { locale, languages } = settings.peek();
      settings.value = next;
      speaker.use(next.text);
      if (next.locale !== locale || next.languages !== languages) speak(next);
    },
    stop() {
      stopWaiting();
      spoken = undefined;
      controller.stop();
    },
  };
}
