import type { DeadLetter } from '../../checkout/outbox/dead-letters.ts';
import type { CheckoutStatus } from '../../checkout/telemetry/status.ts';
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

/** Light or dark as the reader's system is. */
export const statusStyles = `
:root { color-scheme: light dark; --page: #faf7f1; --card: #fff; --text: #22201c; --quiet: #635d53; --line: #e2dbce;
  --accent: #1f5c46; --on-accent: #fff; --bad: #a3262a; }
@media (prefers-color-scheme: dark) { :root { --page: #171512; --card: #211e1a; --text: #f1ece3; --quiet: #b3aa9b;
  --line: #3a352d; --accent: #7fd0ad; --on-accent: #0d2a1f; --bad: #ff9f9a; } }
body { margin: 0 auto; padding: 0 1rem 1rem; max-width: 60rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
.wordmark { margin: 0; color: var(--accent); font-weight: 650; line-height: 3rem; }
h1 { font-size: 1.5rem; line-height: 1.3; margin: 0 0 1rem; }
h2 { font-size: 1.125rem; margin: 2rem 0 0.5rem; }
dl { margin: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 13rem), 1fr)); gap: 0.75rem; }
dl > div { padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--card); }
dt { color: var(--quiet); font-size: 0.875rem; }
dt::first-letter { text-transform: uppercase; }
dd { margin: 0; font-size: 1.125rem; font-weight: 600; font-variant-numeric: tabular-nums; white-space: pre-wrap; }
article { border: 1px solid var(--line); border-radius: 0.75rem; padding: 0.75rem 1rem; margin: 0 0 0.75rem;
  background: var(--card); }
article dl { display: block; }
article dl > div { display: grid; grid-template-columns: 5rem 1fr; padding: 0.125rem 0; border: 0; }
article dd { font-size: 1rem; font-weight: 400; }
form { margin: 0.75rem 0 0; }
button { min-height: 2.75rem; padding: 0 1.25rem; border: 1px solid var(--accent); border-radius: 0.5rem;
  background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
[role='status'] { border-inline-start: 0.25rem solid var(--accent); margin: 0 0 1rem; padding-inline-start: 0.75rem; }
.alarm dd { color: var(--bad); }
`;

/** Renders the page, without scripts. */
export function renderStatusPage({ status, deadLetters, notice }: StatusView): string {
  const { markup } = html`<!doctype html><html lang="en"><head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="robots" content="noindex"/>
<title>Checkout status</title>
<style>${statusStyles}</style>
</head><body><header><p class="wordmark">transfer-checkout</p></header><main>
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
    return html`<div${mark}><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`;
  });
  return html`<dl>${items}</dl>`;
}
