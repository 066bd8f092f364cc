import { type ReadonlySignal, useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import type { PaymentView } from '../../contract/index.ts';
import { dayMs, formatCountdown, formatDeadline, isSameDay } from '../../i18n/format-time.ts';
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
  const { isTimeShort, isClockRight } = viewState.timeLeft;
  const { text } = translator.value;
  const totalMs = Date.parse(payment.expiresAt) - Date.parse(payment.openedAt);
  const countdown = useWhenKnown((ms) => formatCountdown(ms, translator.value));
  const bar = useWhenKnown((ms) => `transform: scaleX(${shareLeft(ms, totalMs)})`);
  return (
    <div class={isTimeShort.value ? 'time short' : 'time'} part="time">
      <Text id="time-left">{text('timeLeft')}</Text>
      <b role="timer" aria-labelledby="time-left" {...notTranslated}>
        <span
          class={`tick ${totalMs >= dayMs ? 'days' : totalMs >= hourMs ? 'hours' : ''}`}
          data-field="countdown"
          // Not a child: browsers that translate the page replace text nodes.
          {...{ textContent: countdown }}
        />
      </b>
      {/* With a date the text may need a line of its own: nothing may move when that comes. */}
      {(hasDeadline || !isSameDay(payment, translator.value)) && isClockRight.value && (
        <Text data-field="payBy">{text('payBy', { time: formatDeadline(payment, translator.value) })}</Text>
      )}
      <i class="bar">
        <i style={bar} />
      </i>
    </div>
  );
}

/** Computes a value from the time left. Where that is unknown, as on a server, there is no value, and no attribute. */
function useWhenKnown<T>(compute: (remainingMs: number) => T): ReadonlySignal<T | undefined> {
  const { remainingMs } = useCheckout().viewState.timeLeft;
  return useComputed(() => (remainingMs.value === undefined ? undefined : compute(remainingMs.value)));
}

const shareLeft = (ms: number, totalMs: number): number =>
  Math.ceil(Math.min(1, ms / Math.max(1, totalMs)) * barSteps) / barSteps;
