import { usePanel } from '../panel-context.ts';
import { formatMoment, formatRecent } from '../panel-text.ts';

/** A moment on the sandbox's clock. */
export function Moment({ at }: { at: string }) {
  const { time } = usePanel();
  return (
    <time dateTime={at} title={`${formatMoment(at)} UTC`}>
      {formatRecent(at, time.nowSeconds.value)}
    </time>
  );
}
