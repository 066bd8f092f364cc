import { formatCountdown, formatDateTime, formatRecent, secondsLeft } from '../../format/time.ts';
import { usePanel } from '../model/panel-context.ts';

/** A time on the sandbox's clock. */
export function Timestamp({ at }: { at: string }) {
  const { time } = usePanel();
  return (
    <time dateTime={at} title={`${formatDateTime(at)} UTC`}>
      {formatRecent(at, time.nowSeconds.value)}
    </time>
  );
}

/** The time of a record, at the end of its line. */
export const When = ({ at }: { at: string }) => (
  <span class="when">
    <Timestamp at={at} />
  </span>
);

/** The time left on the sandbox's clock; nothing once it is over. */
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
