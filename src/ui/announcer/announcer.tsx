import { type ReadonlySignal, useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { useContext, useLayoutEffect } from 'preact/hooks';
import { AnnouncerContext } from './announcements.ts';

const regions = [0, 1, 2, 3] as const;

/** The live regions for screen readers, each with a line of its own. Only a change of a line is spoken. */
export function Announcer(): JSX.Element {
  const announcements = useContext(AnnouncerContext);
  // Rendered anew when there is something to say, in one go with the screen that it is about.
  const next = announcements?.next.value;
  useLayoutEffect(() => announcements?.commit(), [announcements, next]);
  return (
    <>
      {regions.map((index) => (
        <LiveRegion key={index} index={index} lines={announcements?.lines} />
      ))}
    </>
  );
}

type LiveRegionProps = {
  readonly index: number;
  readonly lines: ReadonlySignal<readonly string[]> | undefined;
};

function LiveRegion({ index, lines }: LiveRegionProps): JSX.Element {
  const line = useComputed(() => lines?.value[index] ?? '');
  return (
    <p class="spoken" role="status">
      {line}
    </p>
  );
}
