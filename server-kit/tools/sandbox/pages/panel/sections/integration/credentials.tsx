import { sandboxCredentials } from 'transfer-checkout/sandbox';
import { serviceUrl } from '../../model/service-url.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Section } from '../../parts/section.tsx';

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
    <Section
      id="credentials"
      intro="For your own server. These are the sandbox’s defaults; if you started it with others, use those."
    >
      <dl class="facts credentials">
        {rows.map(({ name, label, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code data-field={name}>{value}</code> <CopyButton label={label} value={value} />
            </dd>
          </div>
        ))}
      </dl>
      <CodeBlock name="client" text={snippet(url)} />
    </Section>
  );
}
