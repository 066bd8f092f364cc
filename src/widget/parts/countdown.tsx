import { computed, effect, useComputed } from '@preact/signals';
import type { JSX, RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { PaymentView } from '../../contract/index.ts';
import { dayMs, daysBetween, formatCountdown, formatDeadline } from '../../i18n/format-time.ts';
import { useCheckout } from '../context.tsx';
import { notTranslated, Text } from './text.tsx';

const hourMs = 3_600_000;
/** Each is at most two pixels wide: a smaller one would cost the phone more than it shows. */
const barSteps = 200;

type TimeLeftProps = {
  readonly payment: PaymentView;
  /** Also shows the time of day by which to pay: the first date that is formatted takes a slow phone tens of milliseconds. */
  readonly hasDeadline: boolean;
};

/** The time left, as a countdown and a bar, and the time by which to pay. Each second changes one text, without rendering. */
export function TimeLeft({ payment, hasDeadline }: TimeLeftProps): JSX.Element {
  const { translator, viewState } = useCheckout();
  const { remainingMs, isTimeShort, isClockRight } = viewState.timeLeft;
  const { text } = translator.value;
  const expiresAtMs = Date.parse(payment.expiresAt);
  const totalMs = expiresAtMs - Date.parse(payment.openedAt);
  const daysAhead = useComputed(() => {
    const ms = remainingMs.value;
    return ms === undefined ? undefined : daysBetween(expiresAtMs - ms, expiresAtMs);
  });
  const tick = useCountdown();
  const bar = useShrinking(totalMs);
  return (
    <div class={isTimeShort.value ? 'time short' : 'time'} part="time">
      <Text id="time-left">{text('timeLeft')}</Text>
      <b role="timer" aria-labelledby="time-left" {...notTranslated}>
        <span
          class={`tick ${totalMs >= dayMs ? 'days' : totalMs >= hourMs ? 'hours' : ''}`}
          data-field="countdown"
          ref={tick}
        />
      </b>
      {/* With a day the text may need a line of its own: nothing may move when that comes. */}
      {(hasDeadline || !!daysAhead.value) && isClockRight.value && (
        <Text data-field="payBy">
          {text('payBy', { time: formatDeadline(payment, translator.value, daysAhead.value) })}
        </Text>
      )}
      <i class="bar">
        <i ref={bar} />
      </i>
    </div>
  );
}

function useCountdown(): RefObject<HTMLElement | null> {
  const { translator, viewState } = useCheckout();
  const { remainingMs } = viewState.timeLeft;
  const tick = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // Empty until the service's clock is known.
    const countdown = computed(() => {
      const ms = remainingMs.value;
      return ms === undefined ? '' : formatCountdown(ms, translator.value);
    });
    return countdown.subscribe((text) => {
      if (tick.current) tick.current.textContent = text;
    });
  }, [remainingMs, translator]);
  return tick;
}

function useShrinking(totalMs: number): RefObject<HTMLElement | null> {
  const { remainingMs } = useCheckout().viewState.timeLeft;
  const bar = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const stepsLeft = computed(() => {
      const shareLeft = totalMs > 0 ? Math.min(1, (remainingMs.value ?? totalMs) / totalMs) : 1;
      return Math.ceil(shareLeft * barSteps);
    });
    return effect(() => {
      if (bar.current) bar.current.style.transform = `scaleX(${stepsLeft.value / barSteps})`;
    });
  }, [remainingMs, totalMs]);
  return bar;
}
