import { payoutTransitions, type SandboxPayout } from 'transfer-checkout/sandbox';
import { formatWord } from '../../../format/text.ts';
import { nextStatusesOf } from '../../parts/status-buttons.tsx';

/** A possible action on a payout, and its input for the control call. */
export type PayoutAction = { action: string; text: string; input: object; done: string };

const verbs: Readonly<Record<string, string>> = {
  sent: 'Send',
  succeeded: 'Succeed',
  failed: 'Fail',
  reversed: 'Reverse',
  cancelled: 'Cancel',
};

/** Who approves payouts on this page. */
const approver = 'panel@sandbox.test';

/** Returns the actions that the sandbox would accept: a payout waiting for confirmation cannot be sent. */
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
