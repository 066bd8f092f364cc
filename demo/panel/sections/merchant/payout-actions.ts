import type { SandboxPayout } from 'transfer-checkout/sandbox';
import { payoutTransitions } from 'transfer-checkout/sandbox';
import { formatWord } from '../../model/format.ts';
import { nextStatusesOf } from '../../parts/status-buttons.tsx';

/** Something that can be done to a payout now, and the control call's input that does it. */
export type PayoutAction = { action: string; text: string; input: object; done: string };

const verbs: Readonly<Record<string, string>> = {
  sent: 'Send',
  succeeded: 'Succeed',
  failed: 'Fail',
  reversed: 'Reverse',
  cancelled: 'Cancel',
};

/** Who approves, from this page. */
const approver = 'panel@sandbox.test';

/** Only what the sandbox would not refuse: a payout that waits for confirmation is not sent. */
export function payoutActions({
  status,
  confirmationState,
  approval,
}: SandboxPayout): readonly PayoutAction[] {
  const isWaiting = confirmationState === 'pending';
  const next = nextStatusesOf(payoutTransitions, status);
  return [
    ...(isWaiting && status === 'pending' ? confirmations : []),
    ...(status === 'pending' && !approval?.approvedBy ? [approve] : []),
    ...next
      .filter((to) => !(isWaiting && to === 'sent'))
      .map((to) => ({
        action: `status-${to}`,
        text: verbs[to] ?? `Mark as ${formatWord(to)}`,
        input: { status: to },
        done: `is now ${formatWord(to)}`,
      })),
  ];
}

const confirmations: readonly PayoutAction[] = [
  { action: 'confirm', text: 'Confirm', input: { confirmationState: 'confirmed' }, done: 'is confirmed' },
  { action: 'reject', text: 'Reject', input: { confirmationState: 'rejected' }, done: 'is rejected' },
];

const approve: PayoutAction = {
  action: 'approve',
  text: 'Approve',
  input: { approvedBy: approver },
  done: `is approved by ${approver}`,
};
