import { createSqliteStore } from '../../../server-kit/stores/sqlite.ts';
import { record } from './store-kit.ts';

// A process of its own: records payments one after the other, each paid at once, and says which the store has taken.
const [url = '', name = '', count = ''] = process.argv.slice(2);
const store = createSqliteStore({ url });
for (let index = 0; index < Number(count); index++) {
  const reference = `${name}-${index}`;
  const payment = { ...record, reference, orderId: reference };
  const isInserted = await store.insert(payment, { checkAfterMs: null });
  const updated = await store.update(payment, { checkAfterMs: null, outcomes: ['paid'] });
  if (isInserted && updated !== undefined) process.stdout.write(`${reference}\n`);
}
await store.close();
