import type { ControlDedicatedAccount } from 'transfer-checkout/sandbox';
import { formatWord } from '../../../format/text.ts';
import { Form } from '../../forms/form.tsx';
import { PolicyChoice } from '../../forms/policy-choice.tsx';
import { SendAmount } from '../../forms/send-amount.tsx';
import { usePanel } from '../../model/panel-context.ts';
import type { Result } from '../../model/panel-model.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Actions, statusActions } from '../../parts/actions.tsx';
import { Badge } from '../../parts/badge.tsx';
import { RawJson } from '../../parts/code-block.tsx';
import { AccountNumber } from '../../parts/copy-button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { RecordCallbacks } from '../../parts/record-callbacks.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { Part } from '../../parts/section.tsx';
import { Timestamp, When } from '../../parts/time.tsx';
import { Transfers } from '../../parts/transfers.tsx';
import { useTransfer } from './send-money.tsx';

type AccountProps = { request: ControlDedicatedAccount };

export function DedicatedAccounts() {
  const { data } = usePanel();
  return (
    <RecordList
      section="dedicated-accounts"
      intro="Account requests wait here for the customer’s consent; then they get an account number that can receive money."
      polled={data['dedicated-accounts']}
      idOf={({ accountRequestCode }) => accountRequestCode}
      filterFields={({ accountRequestCode, accountName, email, status, accountType, account }) => [
        accountRequestCode,
        accountName,
        email,
        status,
        accountType,
        account?.accountNumber,
        account?.id,
      ]}
      filterBy="name, e-mail, account number, status"
      row={({ accountName, status, accountType, createdAt }) => (
        <>
          <strong class="name">{accountName}</strong>
          <Badge status={status} />
          <span class="quiet">{accountType}</span>
          <When at={createdAt} />
        </>
      )}
      rowActions={(request) => <AccountButtons request={request} />}
      details={(request) => <AccountDetails request={request} />}
      empty={
        <>
          <h3>No account request yet</h3>
          <p>
            Request one from your server: <code>client.dedicatedAccounts.create(…)</code>. It then waits here
            for consent.
          </p>
        </>
      }
    />
  );
}

/** Returns a function that consents for the customer. */
function useConsent({ accountRequestCode, accountName }: ControlDedicatedAccount) {
  const { act, calls } = usePanel();
  return (input: object): Promise<Result> =>
    act(
      () => calls.consentToDedicatedAccount(accountRequestCode, input),
      `${accountName} has consented; the account is active.`,
    );
}

function AccountButtons({ request }: AccountProps) {
  const { act, calls } = usePanel();
  const consent = useConsent(request);
  const { accountRequestCode: code, accountName, status, account } = request;
  if (account) {
    return (
      <div class="record-beside">
        <AccountNumber number={account.accountNumber} />
      </div>
    );
  }
  if (status !== 'awaiting_customer_consent') return null;
  const refuse = (): Promise<Result> =>
    act(() => calls.refuseDedicatedAccount(code), `${accountName} has refused.`);
  return (
    <div class="record-beside">
      <ActionButton
        action="consent"
        kind="primary"
        label={`Consent for ${accountName}`}
        run={() => consent({})}
      >
        Consent
      </ActionButton>
      <ActionButton action="refuse" label={`Refuse for ${accountName}`} run={refuse}>
        Refuse
      </ActionButton>
    </div>
  );
}

function AccountDetails({ request }: AccountProps) {
  const { accountRequestCode, email, callbackUrl, createdAt, account, transfers } = request;
  return (
    <>
      <div class="columns">
        <Facts
          facts={[
            { name: 'Request', value: <code>{accountRequestCode}</code> },
            { name: 'E-mail', value: email },
            { name: 'Account', value: account && `${account.accountName}, ${account.bankName ?? ''}` },
            { name: 'Id', value: account && <code>{account.id}</code> },
            { name: 'Callbacks to', value: callbackUrl && <code>{callbackUrl}</code> },
            { name: 'Requested', value: <Timestamp at={createdAt} /> },
          ]}
        />
        {account ? (
          <ChangeAccount request={request} account={account} />
        ) : (
          <ConsentWithChoices request={request} />
        )}
      </div>
      <div class="columns">
        <Transfers transfers={transfers} />
        <RecordCallbacks ids={[accountRequestCode, account?.id]} callbackUrl={callbackUrl} />
      </div>
      <RawJson record={request} />
    </>
  );
}

type ChangeAccountProps = AccountProps & { account: NonNullable<ControlDedicatedAccount['account']> };

const verbs = { expired: 'Expire', no_post_no_debit: 'Block' };

function ChangeAccount({ request, account }: ChangeAccountProps) {
  const { act, calls } = usePanel();
  const transfer = useTransfer();
  const { accountRequestCode: code, accountName, nextStatuses } = request;
  const update = (input: object, done: string) =>
    act(() => calls.updateDedicatedAccount(code, input), `The account of ${accountName} ${done}.`);
  return (
    <div class="stack">
      <SendAmount
        title="Send money"
        verb="send"
        to={accountName}
        currency={account.currency}
        choices={[]}
        run={(amount) => transfer(account.accountNumber, amount)}
      />
      <Part title="Status and policy">
        <Actions
          of={accountName}
          actions={statusActions(nextStatuses, verbs, (status) =>
            update({ status }, `is now ${formatWord(status)}`),
          )}
        />
        <PolicyChoice
          policy={account.acceptedAmountPolicy}
          choose={(acceptedAmountPolicy) => update({ acceptedAmountPolicy }, 'now accepts other amounts')}
        />
      </Part>
    </div>
  );
}

/** Consents with a chosen account number and bank. */
function ConsentWithChoices({ request }: AccountProps) {
  const consent = useConsent(request);
  if (request.status !== 'awaiting_customer_consent') return null;
  return (
    <Part title="Consent with an account of your choice">
      <Form
        name="consent-with"
        kind="plain"
        fields={[
          {
            name: 'accountNumber',
            label: 'Account number',
            kind: 'account',
            hint: 'If empty, the sandbox creates one.',
          },
          { name: 'bankName', label: 'Bank name', kind: 'text' },
        ]}
        submit="Consent with these"
        run={consent}
      />
    </Part>
  );
}
