import type { DeadLetter } from '../../checkout/outbox/dead-letters.ts';
import type { CheckoutStatus } from '../../checkout/telemetry/measures.ts';
import { type Html, html } from './html.ts';
import { type StatusRow, statusRows } from './status-rows.ts';

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
dl { margin: 0; display: grid; grid-template-columns: fit-content(50%) 1fr; gap: 0.25rem 1rem; }
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

/** Renders the page, without scripts. */
export function renderStatusPage({ status, deadLetters, notice }: StatusView): string {
  const { markup } = html`<!doctype html><html lang="en"><head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="robots" content="noindex"/>
<title>Checkout status</title>
<style>${statusStyles}</style>
</head><body><main>
<h1>Checkout status</h1>
${notice === undefined ? undefined : html`<p role="status">${notice}</p>`}
${rowList(statusRows(status))}
<h2>Dead letters</h2>
${deadLetters.length === 0 ? html`<p>There are none.</p>` : deadLetterList(deadLetters)}
</main></body></html>`;
  return markup;
}

function deadLetterList(deadLetters: StatusView['deadLetters']): Html {
  const listed = deadLetters.slice(0, maxListed);
  const isCut = listed.length < deadLetters.length;
  return html`<p>Find out why each one failed, then retry it: the handler is called once more.</p>
${isCut ? html`<p>The oldest ${listed.length} of ${deadLetters.length}.</p>` : undefined}
${listed.map(deadLetterCard)}`;
}

function deadLetterCard({ key, orderId, outcome, reference, tries, failure }: DeadLetter): Html {
  const rows = [
    { name: 'order', value: orderId ?? 'none' },
    { name: 'outcome', value: outcome },
    { name: 'payment', value: reference },
    { name: 'tries', value: String(tries) },
    { name: 'failure', value: failure ?? 'unknown' },
  ];
  return html`<article>${rowList(rows)}<form method="post">
<button type="submit" name="key" value="${key}" aria-label="Retry ${key}">Retry</button>
</form></article>`;
}

/** `bdi`, so that foreign text cannot turn the text around it. */
function rowList(rows: readonly StatusRow[]): Html {
  const items = rows.map(({ name, value, needsPerson }) => {
    const mark = needsPerson ? html` class="alarm"` : undefined;
    return html`<dt${mark}>${name}</dt><dd${mark}><bdi>${value}</bdi></dd>`;
  });
  return html`<dl>${items}</dl>`;
}
