/** Sent with every answer: nothing of a payment may lie in a cache, and no body is to be guessed at. */
export const answerHeaders = {
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
} as const;
