/** The languages that `auto` may choose: those that somebody has reviewed. Here, so that `languages.ts` can come later. */
export const reviewedTags: readonly string[] = ['en'];
