import { type ReadonlySignal, useComputed } from '@preact/signals';
import type { JSX, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { returnFocus } from '../dom/return-focus.ts';
import { useCheckout } from '../hooks/use-checkout.ts';
import { createAnnouncements } from './announcements.ts';

const regions = [0, 1, 2, 3] as const;

/**
 * The live regions for screen readers, with one line each. Only a changed line is announced, without the text that is read because
 * the focus moves to it.
 */
export function Announcer({ card }: { readonly card: RefObject<HTMLElement | null> }): JSX.Element {
  const context = useCheckout();
  const announcements = useMemo(() => createAnnouncements(context), [context]);
  const restoreFocus = useRef(() => {});
  useLayoutEffect(() => {
    if (!card.current) return;
    const focus = returnFocus(card.current, context.viewState.leaving, announcements.skip);
    restoreFocus.current = focus.restore;
    return () => {
      focus.stop();
      announcements.stop();
    };
  }, [card, context, announcements]);
  const [isPainted, setPainted] = useState(false);
  // Writing out the lines takes a slow phone as long as drawing the screen, which comes first.
  useEffect(() => setPainted(true), []);
  // Read here, so that the lines are committed with the screen that they belong to.
  const next = isPainted && announcements.next.value;
  useLayoutEffect(() => {
    if (next) announcements.commit(restoreFocus.current);
  }, [announcements, next]);
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
