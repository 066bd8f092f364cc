import { notePressed } from './note-pressed.ts';

/**
 * Keeps the focus in the checkout that is drawn in `place`. What had it may go with a question: what had it before the
 * question has it again. Or with its screen: the title has it, and `onRead` is told that it is read for that.
 */
export function createFocus(place: Element, onRead: (text: string) => void) {
  const root = place.getRootNode() as ShadowRoot;
  const pressed = notePressed(place);
  let isAsked = false;
  let before: HTMLElement | null | undefined;
  return {
    /** Called before a screen is drawn, with whether a question lies above it. */
    note(isAskedNow: boolean): void {
      if (isAskedNow && !isAsked)
        before = (root.activeElement ?? pressed()?.closest('a, button')) as typeof before;
      isAsked = isAskedNow;
    },
    /** Called when it is drawn, with what had the focus before. */
    keep(focused: Element | null): void {
      const gone = focused ?? pressed();
      if (!gone || (focused ? root.activeElement : gone.isConnected)) return;
      const title = place.querySelector('h2') as HTMLElement;
      if (before?.isConnected) before.focus();
      else {
        title.focus();
        onRead(`${title.textContent}`);
      }
      before = undefined;
    },
  };
}
