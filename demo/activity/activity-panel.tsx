import type { TargetedEvent } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { ActivityModel } from './activity-model.ts';
import { ActivityRow } from './activity-row.tsx';

/** The developer panel: the signed requests and callbacks of the order, and the handlers of the shop that ran. */
export function ActivityPanel({ model }: { model: ActivityModel }) {
  const bodyId = useId();
  const isOpen = model.isOpen.value;
  return (
    <>
      <h2>
        <button
          type="button"
          class="activity-toggle"
          data-action="activity-toggle"
          aria-expanded={isOpen}
          aria-controls={bodyId}
          onClick={model.toggle}
        >
          What the shop’s server does
        </button>
      </h2>
      <div id={bodyId} class="activity-body" hidden={!isOpen}>
        {isOpen && <Timeline model={model} />}
      </div>
    </>
  );
}

function Timeline({ model: { rows, connection } }: { model: ActivityModel }) {
  const list = useRef<HTMLOListElement>(null);
  const isAtEnd = useRef(true);
  const { length } = rows.value;
  // The latest line is in sight, unless somebody reads an earlier one; nothing around the list moves.
  useEffect(() => {
    if (list.current && isAtEnd.current) list.current.scrollTop = list.current.scrollHeight;
  }, [length]);
  const noteEnd = ({ currentTarget }: TargetedEvent<HTMLOListElement>): void => {
    const { scrollHeight, scrollTop, clientHeight } = currentTarget;
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < 8;
  };
  return (
    <>
      {connection.value === 'lost' && (
        <p role="status" class="activity-lost">
          No response. The panel keeps trying.
        </p>
      )}
      <ol ref={list} class="activity-rows" onScroll={noteEnd}>
        {connection.value === 'live' && length === 0 && <li class="activity-empty">Nothing yet.</li>}
        {rows.value.map((row) => (
          <ActivityRow key={row.activity.key} row={row} />
        ))}
      </ol>
    </>
  );
}
