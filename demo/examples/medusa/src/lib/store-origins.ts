/** The origins of Medusa's setting, without the spaces that Medusa would compare too: `https://a.example, /\.b\.example$/`. */
export function storeOrigins({ STORE_CORS = '' }: NodeJS.ProcessEnv = process.env): string[] {
  return STORE_CORS.split(',')
    .map((origin) => origin.trim())
    .filter((origin) => origin !== '');
}

/** Those that the checkout takes: each is exactly an origin, and no regular expression. Name each origin that may pay. */
export const checkoutOrigins = (env?: NodeJS.ProcessEnv): string[] =>
  storeOrigins(env).filter((origin) => /^https?:\/\//.test(origin));
