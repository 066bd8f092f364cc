import type { DeadLetter } from '../outbox/dead-letters.ts';
import type { CheckoutStatus } from '../telemetry/status.ts';
import { statusRows } from './status-rows.ts';

export type StatusView = {
  status: CheckoutStatus;
  /** Oldest first. */
  deadLetters: readonly DeadLetter[];
  /** A line above everything: the result of a retry. */
  notice: string | undefined;
};

/** Each may have 2,000 characters of failure. The others are listed when these have been retried. */
const maxListed = 100;

/** System colours, so that the page is light or dark as the reader's system is. */
export const statusStyles = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0 auto; padding: 1rem; max-width: 44rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 0 0 1rem; }
h2 { font-size: 1.125rem; margin: 2rem 0 0.5rem; }
dl { margin: 0; display: grid; grid-template-columns: fit-content(45%) 1fr; gap: 0.25rem 1rem; }
article dl { grid-template-columns: 5rem 1fr; }
dt { opacity: 0.8; }
dt::first-letter { text-transform: uppercase; }
dd { margin: 0; font-variant-numeric: tabular-nums; white-space: pre-wrap; }
article { border: 1px solid; border-radius: 0.5rem; padding: 0.75rem 1rem; margin: 0 0 0.75rem; }
form { margin: 0.75rem 0 0; }
button { font: inherit; min-height: 2.75rem; padding: 0 1.25rem; }
[role='status'] { border-inline-start: 0.25rem solid; margin: 0 0 1rem; padding-inline-start: 0.75rem; }
.alarm { font-weight: 700; }
`;

/** Renders the page without scripts. Every text is escaped. */
export function renderStatusPage({ status, deadLetters, notice }: StatusView): string {
  const rows = statusRows(status).map(({ name, value, needsPerson = false }) =>
    needsPerson ? `<dt class="alarm">${name}</dt><dd class="alarm">${value}</dd>` : row(name, value),
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Checkout status</title>
<style>${statusStyles}</style>
</head>
<body>
<main>
<h1>Checkout status</h1>
${notice === undefined ? '' : `<p role="status">${escapeHtml(notice)}</p>`}
<dl>
${rows.join('\n')}
</dl>
<h2>Dead letters</h2>
${renderDeadLetters(deadLetters)}
</main>
</body>
</html>
`;
}

function renderDeadLetters(deadLetters: readonly DeadLetter[]): string {
  if (deadLetters.length === 0) return '<p>There are none.</p>';
  const listed = deadLetters.slice(0, maxListed);
  const more =
    listed.length < deadLetters.length ? `<p>The oldest ${listed.length} of ${deadLetters.length}.</p>` : '';
  const hint = '<p>Find the reason of each failure, and then retry: the handler is called once more.</p>';
  return [hint, more, ...listed.map(renderDeadLetter)].join('\n');
}

function renderDeadLetter({ key, orderId, outcome, reference, tries, failure }: DeadLetter): string {
  const rows = [
    row('order', orderId),
    row('outcome', outcome),
    row('payment', reference),
    row('tries', String(tries)),
    row('failure', failure ?? 'unknown'),
  ];
  const attributes = `name="key" value="${escapeHtml(key)}" aria-label="Retry ${escapeHtml(key)}"`;
  return `<article>
<dl>
${rows.join('\n')}
</dl>
<form method="post"><button ${attributes}>Retry</button></form>
</article>`;
}

/** `bdi`, so that foreign text cannot turn the text around it. */
const row = (name: string, value: string): string =>
  `<dt>${escapeHtml(name)}</dt><dd><bdi>${escapeHtml(value)}</bdi></dd>`;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for an element or a quoted attribute. */
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
