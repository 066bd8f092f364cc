import type { JSX } from 'preact';
import type { Screen } from './screen.ts';

/** What a shopper reads before leaving while money may be on its way. Nothing while nobody wants to leave. */
export function LeaveQuestion({ speech, more, leaving }: Screen): JSX.Element | null {
  const { text } = speech;
  const stay = more?.later.stayHere;
  if (!leaving) return null;
  return (
    <div
      class="leave"
      role="alertdialog"
      aria-modal="true"
      aria-labelledby="leave"
      aria-describedby="leave-lead"
      // A press beside the question leaves the focus in it.
      tabIndex={-1}
      ref={takeFocus}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // A modal around it stays open, too.
        event.preventDefault();
        event.stopPropagation();
        stay?.();
      }}
    >
      <div part="warning">
        <b id="leave">{text('leaveTitle')}</b>
        <p id="leave-lead">{text('leaveLead')}</p>
        <button type="button" class="main" part="button" onClick={stay}>
          {text('stayHere')}
        </button>
        <button
          type="button"
          onClick={() => {
            stay?.();
            leaving();
          }}
        >
          {text('leave')}
        </button>
      </div>
    </div>
  );
}

/** Called once, when the question appears: a function of the module is the same at each drawing. */
function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}
