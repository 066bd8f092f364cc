import { formatWord } from '../../format/text.ts';

/** The colour of a status. Statuses not listed here are waiting for something. */
const tones: Readonly<Record<string, 'good' | 'bad' | 'quiet'>> = {
  succeeded: 'good',
  paid: 'good',
  active: 'good',
  delivered: 'good',
  confirmed: 'good',
  accepted: 'good',
  failed: 'bad',
  reversed: 'bad',
  rejected: 'bad',
  refused: 'bad',
  returned: 'bad',
  dropped: 'bad',
  no_post_no_debit: 'bad',
  expired: 'quiet',
  cancelled: 'quiet',
  draft: 'quiet',
  inactive: 'quiet',
  opened: 'quiet',
};

export function Badge({ status }: { status: string }) {
  return (
    <span class="badge" data-field="status" data-status={status} data-tone={tones[status] ?? 'wait'}>
      {formatWord(status)}
    </span>
  );
}

/** The status of an HTTP response, or why there is none. */
export function HttpBadge({ status }: { status: number | string }) {
  const isGood = typeof status === 'number' && status < 400;
  return (
    <span class="badge" data-field="http-status" data-tone={isGood ? 'good' : 'bad'}>
      {status}
    </span>
  );
}
