import type { JSX } from 'preact';
import { useCheckout } from '../hooks/use-checkout.ts';

/** What a shopper reads before leaving while money may be on its way. Nothing while nobody wants to leave. */
export function LeaveQuestion(): JSX.Element | null {
  const { translator, viewState } = useCheckout();
  const { text } = translator.value;
  const { cancelLeave } = viewState;
  const go = viewState.pendingLeave.value;
  if (!go) return null;
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
        cancelLeave();
      }}
    >
      <div part="warning">
        <b id="leave">{text('leaveTitle')}</b>
        <p id="leave-lead">{text('leaveLead')}</p>
        <button type="button" class="main" part="button" onClick={cancelLeave}>
          {text('stayHere')}
        </button>
        <button
          type="button"
          onClick={() => {
            cancelLeave();
            go();
          }}
        >
          {text('leave')}
        </button>
      </div>
    </div>
  );
}

/** Called once, when the question appears: a function of the module is the same at each rendering. */
function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}
