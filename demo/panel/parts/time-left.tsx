import { usePanel } from '../panel-context.ts';
import { formatCountdown, secondsLeft } from '../panel-text.ts';

/** How long it is until a moment on the sandbox's clock; nothing once it is past. */
export function TimeLeft({ until }: { until: string | null | undefined }) {
  const { time } = usePanel();
  const now = time.nowSeconds.value;
  const left = now === undefined ? undefined : secondsLeft(until, now);
  if (left === undefined) return null;
  return (
    <span class="time-left" data-field="countdown">
      {formatCountdown(left)} left
    </span>
  );
}
