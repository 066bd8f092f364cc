import { render } from 'preact';
import { type CheckoutModel, type PaymentView, plainAmount, type UssdBank } from '../model/index.ts';

type Codes = {
  readonly banks: readonly UssdBank[];
  readonly payment: PaymentView;
  readonly model: CheckoutModel;
};

/** Shows a link to dial for each bank. Where no code can say the amount, nothing is offered at all. */
export function showUssdCodes(place: Element, { banks, payment, model: { text } }: Codes): void {
  const holder = document.createElement('div');
  place.replaceChildren(holder);
  const codes = banks.flatMap((bank) => ussdCode(bank, payment));
  (place.parentElement as HTMLElement).hidden = codes.length === 0;
  render(
    <>
      <p>{text('ussdLead')}</p>
      <ul>
        {codes.map(({ bank, code }) => (
          <li key={bank}>
            <a
              part="link"
              href={`tel:${encodeURIComponent(code)}`}
              aria-label={`${bank}: ${text('ussdDial', { code })}`}
            >
              <span dir="auto">{bank}</span> <bdi dir="ltr">{code}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </>,
    // Its own: what draws the rest knows nothing of it.
    holder,
  );
}

/** The code of a bank; none where it would need parts of the major unit, or an account that is no number. */
export function ussdCode(
  { bank, template }: UssdBank,
  { account, amount }: PaymentView,
): { bank: string; code: string }[] {
  const values: Record<string, string | undefined> = {
    '{amount}': /^(\d+)(\.0+)?$/.exec(plainAmount(amount))?.[1],
    '{account}': /^\d+$/.exec(account.number)?.[0],
  };
  const code = template.replace(/{\w+}/g, (name) => values[name] ?? ' ');
  return code.includes(' ') ? [] : [{ bank, code }];
}
