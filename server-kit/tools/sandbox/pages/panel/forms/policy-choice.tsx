import type { TargetedEvent } from 'preact';
import { useId } from 'preact/hooks';
import { policyLabels } from '../../format/records.ts';
import type { Result } from '../model/panel-model.ts';

export type PolicyChoiceProps = {
  policy: string;
  choose: (acceptedAmountPolicy: string) => Promise<Result>;
};

/** Chooses which amounts an account accepts. */
export function PolicyChoice({ policy, choose }: PolicyChoiceProps) {
  const id = useId();
  const change = async ({ currentTarget }: TargetedEvent<HTMLSelectElement>): Promise<void> => {
    const { isDone } = await choose(currentTarget.value);
    if (!isDone) currentTarget.value = policy;
  };
  return (
    <div class="form-field policy">
      <label for={id}>Accepted amounts</label>
      <select id={id} data-action="policy" value={policy} onChange={change}>
        {Object.entries(policyLabels).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}
