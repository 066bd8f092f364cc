import { usePanel } from '../model/panel-context.ts';
import { hrefOf } from '../model/route.ts';
import { Badge } from './badge.tsx';
import { Part } from './section.tsx';
import { Timestamp } from './time.tsx';

/** The callbacks about a record, newest first. */
export function RecordCallbacks({
  ids,
  callbackUrl,
}: {
  ids: readonly (string | null | undefined)[];
  callbackUrl?: string | null | undefined;
}) {
  const callbacks = usePanel().data.callbacks.latest.value ?? [];
  const ours = callbacks.filter(({ recordId, reference }) =>
    ids.some((id) => id && (id === recordId || id === reference)),
  );
  return (
    <Part title="Callbacks">
      {ours.length === 0 && (
        <p class="quiet">{callbackUrl ? 'None yet.' : 'None: it was created without a callbackUrl.'}</p>
      )}
      <ul class="lines">
        {ours.map(({ id, event, state, createdAt }) => (
          <li key={id}>
            <a href={hrefOf('callbacks', id)}>{event}</a>
            <Badge status={state} />
            <Timestamp at={createdAt} />
          </li>
        ))}
      </ul>
    </Part>
  );
}
