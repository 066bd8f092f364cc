import { sandboxCredentials } from 'transfer-checkout/sandbox';
import { CodeBlock, CopyButton, Facts } from './parts.tsx';
import { serviceUrl } from './route.ts';

const { apiKey, apiSecret, authToken } = sandboxCredentials;

const snippet = (url: string): string => `import { createPaymentsClient } from 'transfer-checkout/server-kit';

const client = createPaymentsClient({
  baseUrl: '${url}',
  apiKey: '${apiKey}',
  apiSecret: '${apiSecret}',
  authToken: '${authToken}',
});

const { accountNumber } = await client.payments.initiate({
  reference: 'order-1001-1',
  paymentMethod: 'pay_with_transfer',
  amount: { value: 1_250_000, currency: 'NGN' },
});`;

/** What a server needs to use this sandbox. None of it is secret. */
export function Credentials() {
  const url = serviceUrl();
  const rows = [
    { name: 'baseUrl', label: 'base URL', value: url },
    { name: 'apiKey', label: 'API key', value: apiKey },
    { name: 'apiSecret', label: 'API secret', value: apiSecret },
    { name: 'authToken', label: 'auth token', value: authToken },
  ];
  return (
    <section class="section" aria-labelledby="section-title">
      <header>
        <h2 id="section-title">Credentials</h2>
        <p class="quiet">
          For your own server. These are the sandbox’s defaults; if you started it with others, use those.
        </p>
      </header>
      <div class="credentials">
        <Facts
          facts={rows.map(({ name, label, value }) => ({
            name,
            value: (
              <>
                <code>{value}</code> <CopyButton label={label} value={value} />
              </>
            ),
          }))}
        />
      </div>
      <CodeBlock name="client" text={snippet(url)} />
    </section>
  );
}
