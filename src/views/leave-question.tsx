import type { JSX } from 'preact';
import type { Screen } from './screen.ts';

/** What a shopper reads before leaving while money may be on its way. Nothing while nobody wants to leave. */
export function LeaveQuestion({ speech, more, leaving }: Screen): JSX.Element | null {
  const { text } = speech;
  const { later } = more ?? {};
  if (!leaving) return null;
  return (
    <div class="leave">
      <div part="warning" role="alertdialog" aria-labelledby="leave" tabIndex={-1} ref={takeFocus}>
        <b id="leave">{text('leaveTitle')}</b>
        <p>{text('leaveLead')}</p>
        <button type="button" class="main" part="button" onClick={later?.stayHere}>
          {text('stayHere')}
        </button>
        <button
          type="button"
          onClick={() => {
            later?.stayHere();
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
