/** The key in the tab's `sessionStorage` that holds which payment is shown on which page. */
export const openPaymentKey = 'transfer-checkout-open';

/** The stored value: the page's path, a space, and the payment's reference. */
export const openPaymentOf = (reference: string): string => `${location.pathname} ${reference}`;
