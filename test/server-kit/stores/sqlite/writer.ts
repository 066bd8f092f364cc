import { createSqliteStore } from '../../../../server-kit/stores/sqlite/store.ts';
import { eventsOf, orderWrite } from '../conformance/store-kit.ts';

// A process of its own: writes orders one after the other, each paid at once, and prints the references that the store has taken.
const [url = '', name = '', count = ''] = process.argv.slice(2);
const store = createSqliteStore({ url });
for (let index = 0; index < Number(count); index++) {
  const id = `${name}-${index}`;
  const isWritten = await store.write(orderWrite({ id, references: [id], events: eventsOf(id, ['paid']) }));
  if (isWritten) process.stdout.write(`${id}\n`);
}
await store.close();
