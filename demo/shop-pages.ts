/** The pages that the shop's server makes, besides the front page. */
export const shopPages = ['script-tag.html', 'rendered.html'] as const;
export type ShopPageName = (typeof shopPages)[number];

/** All pages that need the shop's server, besides the front page. */
export const serverPages = [...shopPages, 'panel.html'] as const;

/** Returns the address of the page with this name, relative to the shop: the front page's for any other. */
export const addressOf = (name: unknown): string => `./${shopPages.find((page) => page === name) ?? ''}`;
