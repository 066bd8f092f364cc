import { createElement as h, type ReactNode, useEffect, useState } from 'react';

export type PageProps = { readonly html: string };

/** A page with an empty element, and one that `renderCheckout` has rendered. */
export function Page({ html }: PageProps): ReactNode {
  const [place, setPlace] = useState('on the server');
  useEffect(() => setPlace('in the browser'), []);
  return h(
    'main',
    null,
    h('transfer-checkout', { 'base-url': '/checkout' }),
    h('div', { dangerouslySetInnerHTML: { __html: html }, suppressHydrationWarning: true }),
    h('p', null, `Rendered ${place}`),
  );
}
