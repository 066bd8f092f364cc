import { effect, type ReadonlySignal, useComputed } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { PaymentView } from '../../contract/index.ts';
import { formatCountdown } from '../../i18n/format-time.ts';
import { useCheckout } from './use-checkout.ts';

export type Countdown = {
  /** The time left; empty until the service's clock is known. */
  readonly text: ReadonlySignal<string>;
  /** The text may have hours. */
  readonly isLong: boolean;
  /** For an element that shrinks with the time left. */
  readonly bar: RefObject<HTMLElement | null>;
};

/** Counts down to a payment's expiry. Each second changes one text node and one transform, without rendering. */
export function useCountdown({ openedAt, expiresAt }: PaymentView): Countdown {
  const {
    translator,
    viewState: {
      timeLeft: { remainingMs },
    },
  } = useCheckout();
  const bar = useRef<HTMLElement>(null);
  const text = useComputed(() => {
    const ms = remainingMs.value;
    return ms === undefined ? '' : formatCountdown(ms, translator.value.locale);
  });
  const totalMs = Date.parse(expiresAt) - Date.parse(openedAt);
  useLayoutEffect(
    () =>
      effect(() => {
        const shareLeft = totalMs > 0 ? Math.min(1, (remainingMs.value ?? totalMs) / totalMs) : 1;
        if (bar.current) bar.current.style.transform = `scaleX(${shareLeft})`;
      }),
    [remainingMs, totalMs],
  );
  return { text, isLong: totalMs >= 3_600_000, bar };
}
