import { formatWord } from '../../format/text.ts';
import type { Result } from '../model/panel-model.ts';
import { ActionButton } from './action-button.tsx';

export type StatusButtonsProps = {
  /** The possible next statuses. */
  next: readonly string[];
  /** The labels that are not "Mark as ...". */
  verbs?: Readonly<Record<string, string>>;
  /** The record's name, for screen readers. */
  of: string;
  move: (status: string) => Promise<Result>;
};

/** A button for each possible next status. */
export function StatusButtons({ next, verbs = {}, of, move }: StatusButtonsProps) {
  return (
    <div class="buttons">
      {next.map((status) => {
        const text = verbs[status] ?? `Mark as ${formatWord(status)}`;
        return (
          <ActionButton
            key={status}
            action={`status-${status}`}
            label={`${text}: ${of}`}
            run={() => move(status)}
          >
            {text}
          </ActionButton>
        );
      })}
    </div>
  );
}

/** Returns the possible next statuses by one of the sandbox's tables. */
export const nextStatusesOf = (
  transitions: Readonly<Record<string, readonly string[]>>,
  status: string,
): readonly string[] => (Object.hasOwn(transitions, status) ? (transitions[status] ?? []) : []);
