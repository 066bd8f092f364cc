/** The one item of the site's storage that is ours. */
export const storageName = 'transfer-checkout';
