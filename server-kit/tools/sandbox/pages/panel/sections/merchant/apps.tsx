import { usePanel } from '../../model/panel-context.ts';
import { RawJson } from '../../parts/code-block.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { Timestamp } from '../../parts/time.tsx';

export function Apps() {
  const { data } = usePanel();
  return (
    <RecordList
      section="apps"
      intro="Apps that were registered with the auth token."
      polled={data.apps}
      idOf={({ id }) => id}
      filterFields={({ id, name, scheme, bankingType, publicKey }) => [
        id,
        name,
        scheme,
        bankingType,
        publicKey,
      ]}
      filterBy="name, scheme"
      row={({ name, scheme, bankingType }) => (
        <>
          <strong class="name">{name}</strong>
          <code>{scheme}</code>
          <span class="quiet">{bankingType}</span>
        </>
      )}
      details={(app) => (
        <>
          <Facts
            facts={[
              { name: 'Id', value: <code>{app.id}</code> },
              {
                name: 'Public key',
                value: app.publicKey && (
                  <>
                    <code>{app.publicKey}</code> <CopyButton label="public key" value={app.publicKey} />
                  </>
                ),
              },
              { name: 'Registered', value: app.createdAt && <Timestamp at={app.createdAt} /> },
            ]}
          />
          <RawJson record={app} />
        </>
      )}
      empty={
        <>
          <h3>No app yet</h3>
          <p>
            Register one from your server: <code>client.apps.register(…)</code>, with the auth token from the{' '}
            <a href="#/credentials">credentials</a>.
          </p>
        </>
      }
    />
  );
}
