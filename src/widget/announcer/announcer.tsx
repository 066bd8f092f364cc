import type { JSX, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { returnFocus } from '../dom/return-focus.ts';
import { useCheckout } from '../hooks/use-checkout.ts';
import { Text } from '../parts/text.tsx';
import { createAnnouncements } from './announcements.ts';

/**
 * The live regions for screen readers, with one line each. Only a changed line is announced, without the text that is read because
 * the focus moves to it.
 */
export function Announcer({ card }: { readonly card: RefObject<HTMLElement | null> }): JSX.Element {
  const context = useCheckout();
  const announcements = useMemo(() => createAnnouncements(context), [context]);
  const restoreFocus = useRef((): string => '');
  useLayoutEffect(() => {
    if (!card.current) return;
    const focus = returnFocus(card.current, context.viewState.leaving);
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
      {announcements.lines.value.map((line, index) => (
        <p key={index} class="spoken" role="status">
          <Text>{line}</Text>
        </p>
      ))}
    </>
  );
}
