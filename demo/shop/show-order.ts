import { formatMoney } from '../../server-kit/tools/sandbox/pages/format/money.ts';
import { byId, fillParts } from '../elements.ts';
import type { Cart } from './read-cart.ts';

/** Fills the page's order, which begins as static text. */
export function showOrder({ orderId, items, total }: Cart): void {
  byId('order-id').textContent = orderId;
  byId('total').textContent = formatMoney(total);
  const row = byId<HTMLTemplateElement>('item').content;
  const rows = items.map(({ title, author, price }) => {
    const copy = row.cloneNode(true) as DocumentFragment;
    fillParts(copy, { title, author, price: formatMoney({ ...total, value: price }) });
    return copy;
  });
  byId('items').replaceChildren(...rows);
}

/** Shows a notice in place of the order's status, with a link if the visitor should go somewhere. */
export function showNotice(text: string, link?: { href: string; text: string; after?: string }): void {
  const notice = byId('notice');
  if (link === undefined) return notice.replaceChildren(text);
  const anchor = document.createElement('a');
  anchor.href = link.href;
  anchor.textContent = link.text;
  notice.replaceChildren(text, ' ', anchor, link.after ?? '');
}
