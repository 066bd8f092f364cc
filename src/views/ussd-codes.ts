import { type PaymentView, plainAmount, type Text, type UssdBank } from '../model/index.ts';

type Codes = {
  readonly banks: readonly UssdBank[];
  readonly payment: PaymentView;
  readonly text: Text;
};

/** Shows a link to dial for each bank. Where no code can say the amount, nothing is offered at all. */
export function showUssdCodes(place: Element, { banks, payment, text }: Codes): void {
  const links = banks
    .flatMap((bank) => ussdCode(bank, payment))
    .map(({ bank, code }) => {
      const href = `tel:${encodeURIComponent(code)}`;
      const label = `${bank}: ${text('ussdDial', { code })}`;
      return make(
        'li',
        {},
        make(
          'a',
          { href, part: 'link', 'aria-label': label },
          make('span', { dir: 'auto' }, bank),
          ' ',
          make('bdi', { dir: 'ltr' }, code),
        ),
      );
    });
  (place.parentElement as HTMLElement).hidden = links.length === 0;
  place.replaceChildren(make('p', {}, text('ussdLead')), make('ul', {}, ...links));
}

/** An element of text and elements: what draws the rest of the checkout knows nothing of them. */
function make(
  name: string,
  attributes: Readonly<Record<string, string>>,
  ...children: (Node | string)[]
): HTMLElement {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
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
