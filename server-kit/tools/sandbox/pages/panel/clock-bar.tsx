import type { ClockReading } from 'transfer-checkout/sandbox';
import { returnToRealTime } from '../client/sandbox-calls.ts';
import { formatDuration } from '../format/text.ts';
import { formatDate, formatDateTime, formatOffset, formatTime, isMoved } from '../format/time.ts';
import { Form } from './form.tsx';
import { usePanel } from './model.ts';
import { ActionButton } from './parts.tsx';

const stepSeconds = { '+1 min': 60, '+5 min': 300, '+30 min': 1800, '+1 day': 86_400 };

/** Shows and changes the sandbox's time; always visible. */
export function ClockBar() {
  const { act, calls, nowSeconds, data } = usePanel();
  const setClock = useSetClock();
  const now = nowSeconds.value;
  const clock = data.clock.value;
  const isUnusual = clock !== undefined && (clock.frozen || isMoved(clock.offsetSeconds));
  return (
    <section class="clock" aria-labelledby="clock-title">
      <h2 id="clock-title" class="for-readers">
        Clock
      </h2>
      <p class="clock-now">
        <strong>{now === undefined ? '…' : formatTime(now * 1000)}</strong>
        <span>{now !== undefined && `${formatDate(now * 1000)} UTC`}</span>
        {clock && (
          <span class={isUnusual ? 'clock-moved' : 'quiet'} data-field="offset">
            {describeClock(clock)}
          </span>
        )}
        {isUnusual && (
          <ActionButton
            action="real-time"
            run={() => act(() => returnToRealTime(calls), 'The clock is back to real time.')}
          >
            Back to real time
          </ActionButton>
        )}
      </p>
      <div class="steps">
        {Object.entries(stepSeconds).map(([label, seconds]) => (
          <ActionButton
            key={label}
            action={`advance-${seconds}`}
            label={`Move the clock ahead by ${formatDuration(seconds)} (${label})`}
            run={() => setClock({ advanceSeconds: seconds })}
          >
            {label}
          </ActionButton>
        ))}
        {clock && (
          <details class="menu">
            <summary>
              More<span class="for-readers"> clock settings</span>
            </summary>
            <div class="menu-body">
              <Form
                name="set-clock"
                field="set"
                label="Set to, in UTC"
                placeholder="2026-12-31 23:59:00"
                submit="Set"
                read={(text) => ({ value: toIso(text) })}
                run={(set) => setClock({ set })}
              />
              <ActionButton action="freeze" run={() => setClock({ frozen: !clock.frozen })}>
                {clock.frozen ? 'Unfreeze the clock' : 'Freeze the clock'}
              </ActionButton>
            </div>
          </details>
        )}
      </div>
    </section>
  );
}

const describeClock = ({ offsetSeconds, frozen }: ClockReading): string =>
  frozen ? `frozen, ${formatOffset(offsetSeconds)}` : formatOffset(offsetSeconds);

/** Changes the clock, and reports its new time. */
function useSetClock() {
  const { act, calls } = usePanel();
  return (input: object) =>
    act(
      () => calls.setClock(input),
      (clock) => `The clock is at ${formatDateTime(clock.now)} UTC: ${describeClock(clock)}.`,
    );
}

/** Converts `2026-12-31 23:59` for the control call, which refuses anything else with the reason. */
function toIso(text: string): string {
  const [, day, minute, second = ':00'] =
    /^(\d{4}-\d\d-\d\d)(?:[ T]+(\d\d:\d\d)(:\d\d)?)?Z?$/.exec(text) ?? [];
  return day === undefined ? text : `${day}T${minute ?? '00:00'}${second}Z`;
}
