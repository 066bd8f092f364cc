/** Groups the ten digits of an account number: `9012 345 678`. */
export const formatAccountNumber = (number: string): string =>
  number.replace(/^(\d{4})(\d{3})(\d{3})$/, '$1 $2 $3');

/** `awaiting_charge` is `awaiting charge`. */
export const formatWord = (word: string): string => word.replaceAll('_', ' ');

export const formatProbability = (probability: number): string => `${Math.round(probability * 1000) / 10} %`;

/** `1 day 2 h 5 min`; seconds only below a minute. */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return [
    days > 0 && `${days} ${days === 1 ? 'day' : 'days'}`,
    hours > 0 && `${hours} h`,
    minutes > 0 && `${minutes} min`,
  ]
    .filter((part) => part !== false)
    .join(' ');
}

/** Indents JSON; other text is returned unchanged. */
export function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Removes the base path of the service from the path of a request. */
export const formatPath = (path: string): string => path.replace(/^.*?(?=\/v1\/)/, '');

/** The headers that sign a request or a callback. */
export const formatSignature = (signature: string, timestamp: string | null | undefined): string =>
  `Request-Signature: ${signature}\nRequest-Timestamp: ${timestamp ?? ''}`;
