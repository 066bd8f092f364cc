/**
 * The item of the tab's own storage that notes which payment is shown on a page: the page's path, a space, and the payment's
 * reference.
 */
export const openNoteName = 'transfer-checkout-open';
