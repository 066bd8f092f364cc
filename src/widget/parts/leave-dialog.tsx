import { useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useCheckout } from '../context.tsx';
import { isPayable } from '../description/payment-facts.ts';
import { pinToVisualViewport } from '../dom/viewport.ts';
import { isShopperNeeded } from '../model/checkout-model.ts';
import { ReferenceLine } from './details.tsx';
import { Text } from './text.tsx';

/** Gives the shopper the reference before leaving an account or an offer to pay. */
export function LeaveDialog(): JSX.Element | null {
  const go = useCheckout().model.leaving.pendingLeave.value;
  return go ? <Question go={go} /> : null;
}

function Question({ go }: { go: () => void }): JSX.Element {
  const { translator, model, state } = useCheckout();
  const { text } = translator.value;
  const { cancelLeave } = model.leaving;
  // The account says so too.
  const sentences = [isPayable(state.value) && text('closeLead'), text('leaveLead')];
  const dialog = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => showAbovePage(dialog.current), []);
  useSignalEffect(() => {
    if (!isShopperNeeded(state.value)) cancelLeave();
  });
  return (
    <div
      class="leave"
      role="alertdialog"
      aria-modal="true"
      aria-labelledby="leave"
      aria-describedby="leave-lead"
      // The top layer, without making the live regions inert, as a modal dialog would.
      popover="manual"
      // A press on the backdrop keeps the focus in the dialog.
      tabIndex={-1}
      ref={dialog}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // Escape must not close the modal around the checkout.
        event.preventDefault();
        event.stopPropagation();
        cancelLeave();
      }}
    >
      <div part="warning">
        <Text as="b" id="leave">
          {text('leaveTitle')}
        </Text>
        <Text as="p" id="leave-lead">
          {sentences.filter(Boolean).join(' ')}
        </Text>
        <ReferenceLine canCopy />
        <button type="button" class="main" part="button" onClick={cancelLeave}>
          <Text>{text('stayHere')}</Text>
        </button>
        <button
          type="button"
          part="button"
          onClick={() => {
            cancelLeave();
            go();
          }}
        >
          <Text>{text('leave')}</Text>
        </button>
      </div>
    </div>
  );
}

function showAbovePage(dialog: HTMLElement | null): (() => void) | undefined {
  if (!dialog) return undefined;
  const before = (dialog.getRootNode() as ShadowRoot).activeElement as HTMLElement | null;
  // Browsers without popovers show it as a fixed element.
  dialog.showPopover?.();
  const unpin = pinToVisualViewport(dialog);
  dialog.focus({ preventScroll: true });
  // A frame may be taller than the part of it that is visible.
  dialog.firstElementChild?.scrollIntoView({ block: 'nearest' });
  return () => {
    unpin();
    before?.focus();
  };
}
