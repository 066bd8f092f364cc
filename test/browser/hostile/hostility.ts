/** What a page does to the checkout, and what the shopper sees in spite of it. */
export type Hostility = {
  readonly name: string;
  /** A script of the page that runs before the checkout's. */
  readonly before?: string;
  /** In place of `<script src="/package/checkout.js" async>`. */
  readonly tag?: string;
  /** In place of the element; it has `OPTIONS` where the attributes of the order belong, with `data-` before them. */
  readonly body?: string;
  /** Shows the page in a frame with these attributes, on a page of another origin. */
  readonly frame?: string;
  /** A selector of what the shopper presses to see the account. */
  readonly press?: string;
  /** A script of the page that runs while the account is shown. */
  readonly meanwhile?: string;
  /** A sentence that the shopper sees instead of an account. */
  readonly sentence?: RegExp;
};

export const element = '<transfer-checkout OPTIONS></transfer-checkout>';
export const button = '<button id="pay" data-transfer-checkout OPTIONS>Pay</button>';
export const tag = '<script src="/package/checkout.js" async></script>';
