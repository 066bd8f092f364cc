import { type ReadonlySignal, useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { AnnouncerContext } from './announcements.ts';

/** The live regions for screen readers, each with a line of its own. Only a change of a line is spoken. */
export function Announcer(): JSX.Element {
  const lines = useContext(AnnouncerContext);
  return (
    <>
      {[0, 1, 2, 3].map((index) => (
        <LiveRegion key={index} lines={lines} index={index} />
      ))}
    </>
  );
}

type LiveRegionProps = {
  readonly lines: ReadonlySignal<readonly string[]> | undefined;
  readonly index: number;
};

function LiveRegion({ lines, index }: LiveRegionProps): JSX.Element {
  const line = useComputed(() => lines?.value[index] ?? '');
  return (
    <p class="spoken" role="status">
      {line}
    </p>
  );
}
