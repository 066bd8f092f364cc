import type { PanelModel } from './panel-model.ts';
import { formatDuration, formatMoment } from './panel-text.ts';

const steps = [
  { label: '+1 min', seconds: 60 },
  { label: '+10 min', seconds: 600 },
  { label: '+30 min', seconds: 1800 },
  { label: '+1 day', seconds: 86_400 },
];

/** The sandbox's time, and buttons that move it ahead. */
export function ClockBar({ model }: { model: PanelModel }) {
  const now = model.time.nowSeconds.value;
  const offset = model.offsetSeconds.value;
  return (
    <section class="card clock" aria-labelledby="clock-title">
      <h2 id="clock-title">Clock</h2>
      <p class="clock-now">
        <strong data-field="clock">{now === undefined ? '…' : formatMoment(now * 1000)}</strong>
        <span class="quiet" data-field="offset">
          {offset === 0 ? 'not moved' : `${formatDuration(offset)} ahead`}
        </span>
      </p>
      <div class="buttons">
        {steps.map(({ label, seconds }) => (
          <button
            key={label}
            type="button"
            data-action="advance"
            data-seconds={seconds}
            aria-label={`Move the clock ahead by ${formatDuration(seconds)} (${label})`}
            onClick={() => model.advanceClock(seconds)}
          >
            {label}
          </button>
        ))}
      </div>
    </section>
  );
}
