import { SandboxError } from '../errors.ts';

/** The statuses that may follow each status of a record. The service publishes none, so that each table is our choice. */
export type Transitions<Status extends string> = Readonly<Record<Status, readonly Status[]>>;

/** Throws 409 `transition_not_allowed`, with the allowed statuses. `what` is the record, such as `A payment`. */
export function checkTransition<Status extends string>(
  what: string,
  transitions: Transitions<Status>,
  { from, to, param = 'status' }: { from: Status; to: Status; param?: string },
): void {
  if (transitions[from].includes(to)) return;
  const next = transitions[from].join(' or ') || 'nothing';
  const message = `${what} that is ${from} cannot become ${to}; it can become ${next}.`;
  throw new SandboxError('transition_not_allowed', message, { params: [param] });
}
