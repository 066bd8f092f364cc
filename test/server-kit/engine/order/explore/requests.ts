import {
  closeUnseen,
  type Facts,
  type SessionRequest,
} from '../../../../../server-kit/engine/order/next-step.ts';
import {
  type Opened,
  type OpeningPayment,
  type Order,
  type Payment,
  withPayment,
} from '../../../../../server-kit/engine/order/record.ts';
import { learn, write } from './record.ts';
import { paymentIdOf, responsesOf } from './service.ts';
import {
  createTruth,
  currency,
  expiryIso,
  indexOf,
  lateness,
  nowIso,
  nowMs,
  type Operation,
  referenceOf,
  type Setup,
  type Step,
  shownDate,
  type World,
  withTruth,
} from './world.ts';

type Request = Extract<Operation, { kind: 'request' }>;
type Opening = Extract<Operation, { kind: 'opening' }>;

const newRequest = { kind: 'request', tried: [], verified: [] } as const;
export const createRequest = (price: number): Request => ({ ...newRequest, price });

const runningLease = { endsAtMs: nowMs + 5000 };
export const endedLease = { endsAtMs: nowMs - 5000 };
const refusedLease = { ...endedLease, isRefused: true as const };

/**
 * A request without a preference whose browser has stored nothing: the others end earlier, with an account that is known or a refusal,
 * so that they change no state in other ways.
 */
export const toSessionRequest = (order: Order, price: number): SessionRequest => ({
  amount: { value: price, currency },
  named: new Set<string>(),
  preference: 'new',
  reference: referenceOf(order.payments.length),
  lease: runningLease,
});

const toFacts = ({ tried, verified }: Request): Facts => ({
  tried: new Set(tried),
  verified: new Set(verified),
  storeNow: nowMs,
  serviceNow: nowMs,
});

/** Returns what can happen to a request next, at its place among the operations. */
export function requestSteps(world: World, setup: Setup, at: number, request: Request): Step[] {
  const { order } = world;
  const step = setup.functions.nextStep(order, toSessionRequest(order, request.price), toFacts(request));
  const end = { label: `request ${at + 1}: ${step.name}`, world: withoutOperation(world, at) };
  switch (step.name) {
    case 'verify': {
      const { references } = step;
      const label = `request ${at + 1} verifies ${references.join(', ')}${step.isForDecision ? ' to decide' : ''}`;
      return agesOf(world, references).map((age) => ({
        label: `${label}${age < 0 ? ', without a response' : lateness(age)}`,
        world: learnAll(world, setup, at, request, { references, age }),
      }));
    }
    case 'open': {
      const isTooMany = step.order.payments.length > setup.payments;
      return [isTooMany ? end : { ...end, world: open(world, setup, at, request, step) }];
    }
    case 'wait':
      return [];
    default:
      return [end];
  }
}

/** A search whose responses omit amounts has no requests. */
const namesAmounts = { omitsAmounts: false };

/** All payments are verified at nodes that are equally late, or the service does not respond: `age` is -1. */
type Asked = { references: readonly string[]; age: number };

function agesOf(world: World, references: readonly string[]): number[] {
  const counts = references.map((reference) => responsesOf(world, indexOf(reference), namesAmounts).length);
  return [...Array(Math.max(...counts)).keys(), -1];
}

function learnAll(
  world: World,
  { functions }: Setup,
  at: number,
  request: Request,
  { references, age }: Asked,
): World {
  let current = world;
  const [tried, verified] = [new Set([...request.tried, ...references]), new Set(request.verified)];
  for (const reference of references) {
    const response = responsesOf(world, indexOf(reference), namesAmounts).findLast((one) => one.age <= age);
    if (response === undefined) continue;
    const learned = learn(current, response, functions);
    current = learned.world;
    if (learned.isEvidence) verified.add(reference);
  }
  return withOperation(current, at, { ...request, tried: [...tried].sort(), verified: [...verified].sort() });
}

/** Writes the order with the payment's lease. */
function open(
  world: World,
  { functions }: Setup,
  at: number,
  { verified }: Request,
  step: { order: Order; reference: string; mayExist: boolean },
): World {
  const { payments } = world.order;
  const isClean = (index: number): boolean =>
    verified.includes(referenceOf(index)) && world.truths[index]?.wasClean === true;
  const unsure = payments.find(({ state }, index) => state === 'open' && !isClean(index));
  const text = `Another account is opened, and ${unsure?.reference} may hold money.`;
  const broken = world.broken ?? (unsure === undefined ? null : { rule: 'one account', text });
  const index = indexOf(step.reference);
  const truths = world.truths.length > index ? world.truths : [...world.truths, createTruth()];
  const operations = world.operations.map((other) =>
    other.kind === 'opening' && other.index === index ? { ...other, isHolder: false } : other,
  );
  const { mayExist } = step;
  const opening: Opening = { kind: 'opening', index, isHolder: true, mayExist, call: 'before' };
  return write(withOperation({ ...world, truths, operations, broken }, at, opening), step.order, functions);
}

/** Returns what can happen to an instance that calls the service for a payment. */
export function openingSteps(world: World, setup: Setup, at: number, opening: Opening): Step[] {
  const { index, call } = opening;
  const name = `opening of payment ${index + 1}`;
  const closing = (label: string, change: (payment: OpeningPayment) => Payment): Step => ({
    label: `${name}: ${label}`,
    world: changeOpening(world, setup, at, opening, change),
  });
  const to = (next: Opening['call']): World => withOperation(world, at, { ...opening, call: next });
  if (call === 'responded')
    return [closing('its account is recorded', (payment) => toOpen(payment, index, setup))];
  if (call === 'lost') return [closing('it is closed unseen', closeUnseen)];
  if (call === 'refused')
    return [closing('its refusal is recorded', (payment) => ({ ...payment, lease: refusedLease }))];
  const truth = world.truths[index];
  if (truth === undefined) return [];
  const refused = to(opening.mayExist ? 'lost' : 'refused');
  if (truth.now !== null) return [{ label: `${name}: the service refuses its reference`, world: refused }];
  const created = (next: Opening['call']): World => {
    const now = { status: 'initiated', amount: 0, at: nowIso, page: 0 } as const;
    return withTruth(to(next), index, { ...truth, now });
  };
  return [
    { label: `${name}: the service creates it`, world: created('responded') },
    { label: `${name}: the service creates it, and its response is lost`, world: created('lost') },
    { label: `${name}: the service refuses it`, world: refused },
  ];
}

/** Changes the payment, and ends the operation, while its lease is its own. */
function changeOpening(
  world: World,
  { functions }: Setup,
  at: number,
  { index, isHolder }: Opening,
  change: (payment: OpeningPayment) => Payment,
): World {
  const payment = world.order.payments[index];
  const ended = withoutOperation(world, at);
  if (payment?.state !== 'opening' || !isHolder) return ended;
  return write(ended, withPayment(world.order, change(payment)), functions);
}

function toOpen({ lease: _, ...common }: OpeningPayment, index: number, { isLink, loses }: Setup): Payment {
  const times = { openedAt: shownDate, expiresAt: expiryIso, liveMode: loses === 'live', callbackUrl: '' };
  const account = { number: '', name: '', bankName: '' };
  const opened: Opened = isLink
    ? { ...times, kind: 'link', paymentId: null, authorizationUrl: '' }
    : { ...times, kind: 'account', paymentId: paymentIdOf(index, 0), account };
  return { ...common, state: 'open', opened, observed: null, missingSince: null };
}

export const withoutOperation = (world: World, at: number): World => ({
  ...world,
  operations: world.operations.toSpliced(at, 1),
});

const withOperation = (world: World, at: number, operation: Operation): World => ({
  ...world,
  operations: world.operations.with(at, operation),
});
