import type { JSX } from 'preact';
import { useCheckout } from '../hooks/use-checkout.ts';

/** Asks before the shopper leaves while money may be on its way. */
export function LeaveDialog(): JSX.Element | null {
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
      // A press on the backdrop keeps the focus in the dialog.
      tabIndex={-1}
      ref={takeFocus}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // Escape must not close the modal around the checkout.
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

/** Declared outside the component, so that Preact calls this ref only once. */
function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}
