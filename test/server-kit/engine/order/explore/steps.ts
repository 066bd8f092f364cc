import { referencesToVerify } from '../../../../../server-kit/engine/order/next-due.ts';
import { closeUnseen } from '../../../../../server-kit/engine/order/next-step.ts';
import { type Order, withPayment } from '../../../../../server-kit/engine/order/record.ts';
import { learn, write } from './record.ts';
import { createRequest, endedLease, openingSteps, requestSteps, withoutOperation } from './requests.ts';
import { responsesOf, serviceSteps } from './service.ts';
import { indexOf, lateness, nowMs, prices, type Setup, type Step, type World } from './world.ts';

/** Returns every step that the world can take. */
export const stepsOf = (world: World, setup: Setup): Step[] => [
  ...serviceSteps(world, setup),
  ...verificationSteps(world, setup),
  ...leaseSteps(world, setup),
  ...startSteps(world, setup),
  ...world.operations.flatMap((operation, at) => [
    { label: `${operation.kind} ${at + 1} crashes`, world: withoutOperation(world, at) },
    ...(operation.kind === 'request'
      ? requestSteps(world, setup, at, operation)
      : openingSteps(world, setup, at, operation)),
  ]),
];

/** The facts by which an order is due now. The watch times are those of a shop by default. */
const watchTimes = { lateWatchSeconds: 7 * 86_400, reversalWatchSeconds: 30 * 86_400 };
export const dueFacts = { ...watchTimes, serviceNow: nowMs, now: nowMs, storeNow: nowMs };

/** The payments that a due order is verified about. */
export const watchedIndexes = (order: Order, { functions }: Setup): number[] =>
  functions.nextDue(order, dueFacts).afterMs === null ? [] : referencesToVerify(order).map(indexOf);

const verificationSteps = (world: World, setup: Setup): Step[] =>
  watchedIndexes(world.order, setup).flatMap((index) =>
    responsesOf(world, index, setup).map((response) => ({
      label: `payment ${index + 1} is verified${lateness(response.age)}${response.omitsAmount ? ', without an amount' : ''}`,
      world: learn(world, response, setup.functions).world,
    })),
  );

function leaseSteps(world: World, { functions }: Setup): Step[] {
  const { order } = world;
  const opening = order.payments.find(({ state }) => state === 'opening');
  if (opening?.state !== 'opening') return [];
  if (opening.lease.endsAtMs <= nowMs) {
    const closed = write(world, withPayment(order, closeUnseen(opening)), functions);
    return [{ label: 'the abandoned payment is closed', world: closed }];
  }
  const ended = { ...world, order: withPayment(order, { ...opening, lease: endedLease }) };
  return [{ label: 'the lease ends', world: ended }];
}

function startSteps(world: World, { hasTwoPrices, requests }: Setup): Step[] {
  const operations = [...world.operations, createRequest(world.price)];
  const request: Step = { label: 'a request begins', world: { ...world, operations } };
  const other = world.price === prices[0] ? prices[1] : prices[0];
  const cart: Step = { label: `the cart costs ${other}`, world: { ...world, price: other } };
  return [...(world.operations.length < requests ? [request] : []), ...(hasTwoPrices ? [cart] : [])];
}
