import { type ReadonlySignal, useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { Announcements } from './use-announcements.ts';

const regions = [0, 1, 2, 3] as const;

type AnnouncerProps = { readonly announcements: Announcements; readonly restoreFocus: () => void };

/** The live regions for screen readers, with one line each. Only a changed line is announced. */
export function Announcer({ announcements, restoreFocus }: AnnouncerProps): JSX.Element {
  // Read here, so that the lines are committed with the screen that they belong to.
  const next = announcements.next.value;
  useLayoutEffect(() => announcements.commit(restoreFocus), [announcements, next]);
  return (
    <>
      {regions.map((index) => (
        <LiveRegion key={index} index={index} lines={announcements.lines} />
      ))}
    </>
  );
}

type LiveRegionProps = { readonly index: number; readonly lines: ReadonlySignal<readonly string[]> };

function LiveRegion({ index, lines }: LiveRegionProps): JSX.Element {
  const line = useComputed(() => lines.value[index] ?? '');
  return (
    <p class="spoken" role="status">
      {line}
    </p>
  );
}
