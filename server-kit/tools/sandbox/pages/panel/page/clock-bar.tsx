import type { ClockReading } from 'transfer-checkout/sandbox';
import { returnToRealTime } from '../../client/real-time.ts';
import {
  formatDate,
  formatDateTime,
  formatDuration,
  formatOffset,
  formatTime,
  isMoved,
} from '../../format/time.ts';
import { Form } from '../forms/form.tsx';
import { usePanel } from '../model/panel-context.ts';
import { ActionButton } from '../parts/action-button.tsx';

const steps = [
  { label: '+1 min', seconds: 60 },
  { label: '+5 min', seconds: 300 },
  { label: '+30 min', seconds: 1800 },
  { label: '+1 day', seconds: 86_400 },
];

/** Shows and changes the sandbox's time; always visible. */
export function ClockBar() {
  const { time, data } = usePanel();
  const now = time.nowSeconds.value;
  const clock = data.clock.latest.value;
  return (
    <section class="clock" aria-labelledby="clock-title">
      <h2 id="clock-title" class="for-readers">
        Clock
      </h2>
      <p class="clock-now">
        <strong data-field="clock">{now === undefined ? '…' : formatTime(now * 1000)}</strong>
        <span data-field="clock-date">{now === undefined ? '' : `${formatDate(now * 1000)} UTC`}</span>
        {clock && !isUnusual(clock) && (
          <span class="quiet" data-field="offset">
            real time
          </span>
        )}
      </p>
      {clock && isUnusual(clock) && (
        <p class="clock-moved">
          <strong data-field="offset">{describeClock(clock)}</strong> <BackToRealTime />
        </p>
      )}
      <div class="steps">
        {steps.map((step) => (
          <Advance key={step.label} {...step} />
        ))}
        {clock && <MoreOfTheClock clock={clock} />}
      </div>
    </section>
  );
}

const isUnusual = ({ offsetSeconds, frozen }: ClockReading): boolean => frozen || isMoved(offsetSeconds);

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

function Advance({ label, seconds }: { label: string; seconds: number }) {
  const setClock = useSetClock();
  return (
    <ActionButton
      action={`advance-${seconds}`}
      label={`Move the clock ahead by ${formatDuration(seconds)} (${label})`}
      run={() => setClock({ advanceSeconds: seconds })}
    >
      {label}
    </ActionButton>
  );
}

function MoreOfTheClock({ clock }: { clock: ClockReading }) {
  const setClock = useSetClock();
  return (
    <details class="menu">
      <summary>
        More<span class="for-readers"> clock settings</span>
      </summary>
      <div class="menu-body">
        <Form
          name="set-clock"
          isInline
          kind="plain"
          fields={[
            {
              name: 'set',
              label: 'Set to, in UTC',
              kind: 'text',
              placeholder: '2026-12-31 23:59:00',
              isRequired: true,
            },
          ]}
          submit="Set"
          run={({ set }) => setClock({ set: toIso(String(set)) })}
        />
        <div class="buttons">
          <ActionButton action="freeze" run={() => setClock({ frozen: !clock.frozen })}>
            {clock.frozen ? 'Unfreeze the clock' : 'Freeze the clock'}
          </ActionButton>
        </div>
      </div>
    </details>
  );
}

/** Converts `2026-12-31 23:59` for the control call, which refuses anything else with the reason. */
function toIso(text: string): string {
  const [, day, minute, second = ':00'] =
    /^(\d{4}-\d\d-\d\d)(?:[ T]+(\d\d:\d\d)(:\d\d)?)?Z?$/.exec(text) ?? [];
  return day === undefined ? text : `${day}T${minute ?? '00:00'}${second}Z`;
}

function BackToRealTime() {
  const { calls, act } = usePanel();
  const reset = () => act(() => returnToRealTime(calls), 'The clock is back to real time.');
  return (
    <ActionButton action="real-time" run={reset}>
      Back to real time
    </ActionButton>
  );
}
