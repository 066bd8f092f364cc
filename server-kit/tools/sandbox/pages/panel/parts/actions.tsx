import { formatWord } from '../../format/text.ts';
import type { Result } from '../model/panel-model.ts';
import { ActionButton } from './action-button.tsx';

export type Action = {
  /** For tests and style sheets. */
  action: string;
  text: string;
  /** More about it, such as its amount. */
  detail?: string;
  run: () => Promise<Result>;
};

/**
 * A button for each action on a record.
 *
 * @param props.of the record's name, for screen readers
 */
export function Actions({ actions, of }: { actions: readonly Action[]; of: string }) {
  if (actions.length === 0) return null;
  return (
    <div class="buttons">
      {actions.map(({ action, text, detail, run }) => (
        <ActionButton
          key={action}
          action={action}
          label={`${[text, detail].filter(Boolean).join(' ')}: ${of}`}
          run={run}
        >
          {text} {detail && <span class="quiet">{detail}</span>}
        </ActionButton>
      ))}
    </div>
  );
}

/**
 * Returns an action for each possible next status.
 *
 * @param verbs the texts that are not "Mark as ..."
 */
export const statusActions = (
  next: readonly string[],
  verbs: Readonly<Record<string, string>>,
  move: (status: string) => Promise<Result>,
): readonly Action[] =>
  next.map((status) => ({
    action: `status-${status}`,
    text: verbs[status] ?? `Mark as ${formatWord(status)}`,
    run: () => move(status),
  }));
