/** What is spoken the `times`-th time: screen readers say nothing that they have just said, unless a space differs that nobody hears. */
export const again = (line: string, times: number): string => `${line}${times % 2 ? '' : '\u00a0'}`;
