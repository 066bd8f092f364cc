import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type PaymentView, plainAmount, type UssdBank } from '../../model/index.ts';
import { useCheckout } from '../hooks/use-checkout.ts';
import { useLazyPart } from '../hooks/use-lazy-part.ts';
import { LinkIcon } from './icon.tsx';
import { LoadFailed } from './load-failed.tsx';

type UssdCodesProps = { readonly banks: readonly UssdBank[]; readonly payment: PaymentView };

/** The USSD codes that the shopper's phone can dial, loaded when they are opened. Hidden when no code can contain the amount. */
export function UssdCodes({ banks, payment }: UssdCodesProps): JSX.Element {
  const { text } = useCheckout().translator.value;
  const { lazy, load } = useLazyPart('ussd-codes', () => import('../lazy/ussd-codes.ts'));
  const details = useRef<HTMLDetailsElement>(null);
  const codes =
    lazy.name === 'loaded' &&
    lazy.part.ussdCodes(banks, { amount: plainAmount(payment.amount), account: payment.account.number });
  useLayoutEffect(() => {
    if (codes) details.current?.scrollIntoView({ block: 'nearest' });
  }, [!!codes]);
  return (
    <details
      class="ussd"
      part="ussd"
      data-action="ussd"
      hidden={!!codes && codes.length === 0}
      ref={details}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open && lazy.name !== 'loading') void load();
      }}
    >
      <summary>
        <LinkIcon name="phone" />
        {text('ussd')}
      </summary>
      <div>
        {lazy.name === 'failed' && <LoadFailed retry={load} />}
        {codes && <CodeList codes={codes} />}
      </div>
    </details>
  );
}

function CodeList({ codes }: { codes: readonly { bank: string; code: string }[] }): JSX.Element {
  const { text } = useCheckout().translator.value;
  return (
    <>
      <p>{text('ussdLead')}</p>
      <ul>
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
    </>
  );
}
