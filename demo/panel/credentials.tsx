import { CopyButton } from './copy-button.tsx';
import type { PanelModel } from './panel-model.ts';

/** What a server needs to talk to this sandbox. Anybody may know it. */
export function Credentials({ baseUrl, report }: { baseUrl: string; report: PanelModel['report'] }) {
  const rows = [
    { name: 'baseUrl', label: 'base URL', value: baseUrl },
    { name: 'apiKey', label: 'API key', value: 'pk_test_sandbox' },
    { name: 'apiSecret', label: 'API secret', value: 'sk_test_sandbox' },
  ];
  return (
    <section class="card credentials" aria-labelledby="credentials-title">
      <h2 id="credentials-title">Test credentials</h2>
      <p class="quiet">For your own server, in place of the demo’s.</p>
      <dl>
        {rows.map(({ name, label, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{value}</code>
              <CopyButton label={label} value={value} report={report} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
