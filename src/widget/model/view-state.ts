import { type ReadonlySignal, untracked, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { type Checking, isClaimed, paymentOf, referenceOf } from '../../core/state.ts';
import type { Messages } from '../../i18n/messages.ts';
import type { StateDetails } from '../description/explanation.ts';
import { isBeingChecked } from '../description/payment-facts.ts';
import type { ShownModel } from './checkout-model.ts';
import { useTimeLeft } from './time-left.ts';

/** Longer than a check usually takes (a minute), and than a slow bank takes (two or three). */
const takingLongMs = 300_000;
/** Longer than an account usually takes, and before a shopper gives up. */
const loadingLongMs = 8000;
const lastCheckUpdateMs = 5000;

/** An attempt to copy a value. `count` distinguishes two attempts at the same value. */
export type CopyAttempt = {
  readonly field: keyof Messages;
  readonly value: string;
  readonly isCopied: boolean;
  readonly count: number;
};

export type ViewState = ReturnType<typeof useViewState>;

/** Returns what a shown checkout knows beyond its state: signals that change with time, and the shopper's last actions. */
export function useViewState(model: ShownModel, navigate: (url: string) => void) {
  return {
    timeLeft: useTimeLeft(model),
    lastCheck: useLastCheck(model),
    details: useStateDetails(model),
    returnRedirect: useReturnRedirect(model, navigate),
    lastCopy: useSignal<CopyAttempt | undefined>(undefined),
    ...useHint(model),
  };
}

function useLastCheck({ state, clock, refresh }: ShownModel) {
  const updates = useSignal(0);
  const requests = useRef({ count: 0, isPending: false });
  const requestedCheck = useSignal<number | undefined>(undefined);
  const checkedAtMs = useComputed(() => state.value.checkedAtMs);
  const sinceCheckMs = useComputed(() => {
    void updates.value;
    const isShown = state.value.isOffline || isBeingChecked(state.value);
    return isShown && checkedAtMs.value !== undefined ? clock.now() - checkedAtMs.value : undefined;
  });
  useSignalEffect(() => {
    void checkedAtMs.value;
    const { count, isPending } = requests.current;
    requestedCheck.value = isPending ? count : undefined;
    requests.current.isPending = false;
  });
  useSignalEffect(() => {
    void updates.value;
    if (sinceCheckMs.value === undefined) return;
    return clock.setTimer(() => {
      updates.value += 1;
    }, lastCheckUpdateMs);
  });
  return {
    sinceCheckMs,
    /** Sequence number of the last check, where the shopper requested it; undefined where the poll did. */
    requestedCheck,
    checkAgain(): void {
      requests.current = { count: requests.current.count + 1, isPending: true };
      refresh?.();
    },
  };
}

function useStateDetails({ state, clock }: ShownModel): ReadonlySignal<StateDetails> {
  // A failed or repeated attempt does not restart the time.
  const isLoading = useComputed(() => state.value.name === 'loading');
  const claimed = useComputed(() => (isClaimed(state.value) ? referenceOf(state.value.payment) : undefined));
  const isLoadingLong = useDelay(clock, () => (isLoading.value ? loadingLongMs : undefined));
  const isTakingLong = useDelay(clock, () => {
    if (claimed.value === undefined) return undefined;
    const { claimedAtMs = clock.now() } = state.peek() as Checking;
    return claimedAtMs + takingLongMs - clock.now();
  });
  const isKept = useKept(state);
  return useComputed(() => ({
    isLoadingLong: isLoadingLong.value,
    isTakingLong: isTakingLong.value,
    isKept: isKept.value,
  }));
}

/** Tracks whether a delay has passed. It starts again when a signal that `delayMs` reads changes; undefined means that there is no delay. */
function useDelay({ setTimer }: ShownModel['clock'], delayMs: () => number | undefined) {
  const isPast = (ms = 1): boolean => ms <= 0;
  const isOver = useSignal(untracked(() => isPast(delayMs())));
  useSignalEffect(() => {
    const ms = delayMs();
    isOver.value = isPast(ms);
    if (ms === undefined || isPast(ms)) return;
    return setTimer(() => {
      isOver.value = true;
    }, ms);
  });
  return isOver;
}

/** Tracks whether the shopper's request for another account brought the payment back that it should have replaced. */
function useKept(state: ShownModel['state']) {
  const isKept = useSignal(false);
  const replaced = useRef<string | undefined>(undefined);
  useSignalEffect(() => {
    const current = state.value;
    const payment = paymentOf(current);
    const reference = payment && referenceOf(payment);
    if (current.name === 'loading') replaced.current = reference;
    isKept.value = current.name === 'expired' && replaced.current === reference;
  });
  return isKept;
}

function useReturnRedirect({ canAutoReturn, settings, clock }: ShownModel, navigate: (url: string) => void) {
  /** Seconds until the page returns to the shop; undefined when it does not. */
  const returnInSeconds = useSignal<number | undefined>(undefined);
  // Other options may change meanwhile.
  const returnUrl = useComputed(() => settings.value.returnUrl);
  const returnAfterSeconds = useComputed(() => settings.value.returnAfterSeconds);
  useSignalEffect(() => {
    returnInSeconds.value = canAutoReturn.value && returnUrl.value ? returnAfterSeconds.value : undefined;
  });
  useSignalEffect(() => {
    const seconds = returnInSeconds.value;
    const url = returnUrl.peek();
    if (seconds === undefined || !url) return;
    if (seconds <= 0) return navigate(url);
    return clock.setTimer(() => {
      returnInSeconds.value = seconds - 1;
    }, 1000);
  });
  return {
    returnInSeconds,
    cancelReturn(): void {
      canAutoReturn.value = false;
    },
  };
}

function useHint({ state }: ShownModel) {
  const given = useSignal<{ readonly text: string; readonly screen: string } | undefined>(undefined);
  return {
    hint: useComputed(() => (given.value?.screen === state.value.name ? given.value.text : undefined)),
    setHint(text: string | undefined): void {
      given.value = text === undefined ? undefined : { text, screen: state.peek().name };
    },
  };
}
