import { payoutTransitions, type SandboxPayout } from 'transfer-checkout/sandbox';
import { formatWord } from '../../../format/text.ts';
import type { Result } from '../../model/panel-model.ts';
import { type Action, statusActions } from '../../parts/actions.tsx';

const verbs = {
  sent: 'Send',
  succeeded: 'Succeed',
  failed: 'Fail',
  reversed: 'Reverse',
  cancelled: 'Cancel',
};

/** Who approves payouts on this page. */
const approvedBy = 'panel@sandbox.test';

/** Returns the actions that the sandbox would accept: a payout waiting for confirmation cannot be sent. */
export function payoutActions(
  { status, confirmationState, approval }: SandboxPayout,
  update: (input: object, done: string) => Promise<Result>,
): readonly Action[] {
  const isPending = status === 'pending';
  const isWaiting = confirmationState === 'pending';
  const confirm = (action: string, text: string, state: string): Action => ({
    action,
    text,
    run: () => update({ confirmationState: state }, `is ${state}`),
  });
  const approve = {
    action: 'approve',
    text: 'Approve',
    run: () => update({ approvedBy }, `is approved by ${approvedBy}`),
  };
  const next = payoutTransitions[status].filter((to) => !(isWaiting && to === 'sent'));
  return [
    ...(isWaiting && isPending
      ? [confirm('confirm', 'Confirm', 'confirmed'), confirm('reject', 'Reject', 'rejected')]
      : []),
    ...(isPending && !approval?.approvedBy ? [approve] : []),
    ...statusActions(next, verbs, (to) => update({ status: to }, `is now ${formatWord(to)}`)),
  ];
}
