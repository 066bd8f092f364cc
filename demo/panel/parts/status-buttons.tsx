import { formatWord } from '../model/format.ts';
import type { Result } from '../model/panel-model.ts';
import { ActionButton } from './action-button.tsx';

export type StatusButtonsProps = {
  /** What may follow now. */
  next: readonly string[];
  /** What a button says, where "Mark as ..." does not say it. */
  verbs?: Readonly<Record<string, string>>;
  /** Of what, for those who hear the button alone. */
  of: string;
  move: (status: string) => Promise<Result>;
};

/** A button for each status that may follow. */
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

/** What may follow a status, by one of the sandbox's tables; nothing, for a word that the table does not know. */
export const nextStatusesOf = (
  transitions: Readonly<Record<string, readonly string[]>>,
  status: string,
): readonly string[] => (Object.hasOwn(transitions, status) ? (transitions[status] ?? []) : []);
