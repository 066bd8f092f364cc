import type { JSX } from 'preact';
import type { PaymentView } from '../../contract/index.ts';
import { plainAmount } from '../../i18n/format-money.ts';
import type { UssdBank } from '../../options/options.ts';
import { useCheckout } from '../context.tsx';
import { LinkIcon } from './icon.tsx';
import { notTranslated, Text } from './text.tsx';

type UssdCodesProps = { readonly banks: readonly UssdBank[]; readonly payment: PaymentView };

/** The USSD codes that the shopper's phone can dial. Not a lazy part: shoppers without mobile data use them. */
export function UssdCodes({ banks, payment }: UssdCodesProps): JSX.Element | null {
  const { text } = useCheckout().translator.value;
  const codes = ussdCodes(banks, payment);
  if (!codes.length) return null;
  return (
    <details
      class="ussd"
      part="ussd"
      data-action="ussd"
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) currentTarget.scrollIntoView({ block: 'nearest' });
      }}
    >
      <summary>
        <LinkIcon name="phone" />
        <Text>{text('ussd')}</Text>
      </summary>
      <div>
        <Text as="p">{text('ussdLead')}</Text>
        <ul {...notTranslated}>
          {codes.map(({ bank, code }) => (
            <li key={bank}>
              <a
                href={`tel:${encodeURIComponent(code)}`}
                part="link"
                aria-label={`${bank}: ${text('ussdDial', { code })}`}
              >
                <span dir="auto">{bank}</span> <bdi dir="ltr">{code}</bdi>
              </a>
            </li>
          ))}
        </ul>
      </div>
    </details>
  );
}

/** Returns the code to dial for each bank. Leaves out banks whose code cannot contain the amount's minor units or the account. */
function ussdCodes(
  banks: readonly UssdBank[],
  { amount, account }: PaymentView,
): readonly { readonly bank: string; readonly code: string }[] {
  const values: Record<string, string | undefined> = {
    '{amount}': /^(\d+)(\.0+)?$/.exec(plainAmount(amount))?.[1],
    '{account}': /^\d+$/.exec(account.number)?.[0],
  };
  return banks
    .map(({ bank, template }) => ({
      bank,
      code: template.replace(/{\w+}/g, (name) => values[name] ?? ' '),
    }))
    .filter(({ code }) => !code.includes(' '));
}
