import { formatMoney } from '../../server-kit/tools/sandbox/pages/format/money.ts';
import type { Bank } from './model/bank-model.ts';
import { type Scenario, type ScenarioName, scenarioNames, scenariosFor } from './model/scenarios.ts';

const labels: Readonly<Record<ScenarioName, string>> = {
  exactly: 'Send exactly',
  less: 'Less',
  more: 'More',
  late: 'Late',
  twice: 'Twice',
  returned: 'Returned',
};

/** One tap for each way to pay, the right one above the others. What is not possible now keeps its place. */
export function ScenarioButtons({ bank }: { bank: Bank }) {
  const account = bank.requested.value;
  if (account === undefined) return null;
  const { currency } = account.amount;
  const possible = scenariosFor(account);
  const exactly = formatMoney({ value: bank.missing.value || account.amount.value, currency });
  return (
    <fieldset class="bank-scenarios">
      <legend class="for-readers">Send money to the account on this page</legend>
      {scenarioNames.map((name) => (
        <button
          key={name}
          type="button"
          class={name === 'exactly' ? 'bank-exactly' : undefined}
          data-action={`send-${name}`}
          aria-disabled={possible[name] === undefined}
          title={describe(name, possible[name], currency)}
          onClick={() => bank.play(name)}
        >
          {labels[name]} {name === 'exactly' && <strong key={exactly}>{exactly}</strong>}
        </button>
      ))}
    </fieldset>
  );
}

const endings: Readonly<Partial<Record<ScenarioName, string>>> = {
  late: ' after the time has run out',
  returned: ', and take it back once it is confirmed',
};

/** `Send ₦12,500.00 after the time has run out`. */
function describe(name: ScenarioName, scenario: Scenario | undefined, currency: string): string | undefined {
  if (name === 'exactly' || scenario === undefined) return undefined;
  const sums = scenario.amounts.map((value) => formatMoney({ value, currency }));
  return sums.length === 0 ? 'Take the money back' : `Send ${sums.join(' and ')}${endings[name] ?? ''}`;
}
