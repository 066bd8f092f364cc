import { computed, effect, type ReadonlySignal, useComputed } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { PaymentView } from '../../contract/index.ts';
import { formatCountdown } from '../../i18n/format-time.ts';
import { useCheckout } from './use-checkout.ts';

/** Each is at most two pixels wide: a smaller one would cost the phone more than it shows. */
const barSteps = 200;

export type Countdown = {
  /** The time left; empty until the service's clock is known. */
  readonly text: ReadonlySignal<string>;
  /** The text may have hours. */
  readonly isLong: boolean;
  /** For an element that shrinks with the time left. */
  readonly bar: RefObject<HTMLElement | null>;
};

/** Counts down to a payment's expiry. Each second changes one text node, and each step of the bar one transform, without rendering. */
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
  useLayoutEffect(() => {
    const stepsLeft = computed(() => {
      const shareLeft = totalMs > 0 ? Math.min(1, (remainingMs.value ?? totalMs) / totalMs) : 1;
      return Math.ceil(shareLeft * barSteps);
    });
    return effect(() => {
      if (bar.current) bar.current.style.transform = `scaleX(${stepsLeft.value / barSteps})`;
    });
  }, [remainingMs, totalMs]);
  return { text, isLong: totalMs >= 3_600_000, bar };
}
