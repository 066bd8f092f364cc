/**
 * The smallest page that does the job: it fetches the session, shows the account with a countdown and a copy button, and
 * polls. No styling options, languages, retries or recovery. Other pages are measured as a ratio to it.
 */
type Session = {
  account: { number: string; name: string; bankName: string };
  amount: { value: number; currency: string };
  outcome: string;
  expiresAt: string;
};

const pollMs = 3000;
const main = document.querySelector('main') as HTMLElement;

async function readSession(): Promise<Session> {
  const response = await fetch('/yardstick-session', { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response.json();
}

function createElement<Name extends keyof HTMLElementTagNameMap>(name: Name, text = '', field = '') {
  const element = document.createElement(name);
  element.textContent = text;
  if (field !== '') element.dataset.field = field;
  return element;
}

const formatAmount = ({ value, currency }: Session['amount']): string =>
  new Intl.NumberFormat('en-NG', { style: 'currency', currency }).format(value / 100);

function formatTimeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function createCopyButton(text: string): HTMLButtonElement {
  const button = createElement('button', 'Copy account number');
  button.onclick = async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  };
  return button;
}

function show({ account, amount, expiresAt }: Session): void {
  const list = createElement('dl');
  for (const [label, text, field] of [
    ['Bank', account.bankName, 'bankName'],
    ['Account number', account.number, 'accountNumber'],
    ['Account name', account.name, 'accountName'],
    ['Amount', formatAmount(amount), 'amount'],
  ])
    list.append(createElement('dt', label), createElement('dd', text, field));
  const countdown = createElement('p', '', 'countdown');
  const status = createElement('p');
  main.replaceChildren(
    createElement('h1', 'Pay by bank transfer'),
    list,
    createCopyButton(account.number),
    countdown,
    status,
  );

  const tick = (): void => {
    countdown.textContent = `Expires in ${formatTimeLeft(Date.parse(expiresAt) - Date.now())}`;
  };
  const poll = async (): Promise<void> => {
    const { outcome } = await readSession();
    if (outcome === 'pending') setTimeout(poll, pollMs);
    else {
      clearInterval(timer);
      status.textContent = outcome === 'paid' ? 'Payment received' : 'This payment has expired';
    }
  };
  const timer = setInterval(tick, 1000);
  tick();
  setTimeout(poll, pollMs);
}

readSession().then(show, () => {
  main.textContent = 'Could not load this payment.';
});
