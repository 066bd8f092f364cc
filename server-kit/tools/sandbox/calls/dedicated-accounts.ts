import * as v from 'valibot';
import { oneOf } from '../../../core/fields.ts';
import { dedicatedAccountStatuses } from '../../../service/dedicated-account.ts';
import { acceptedAmountPolicies, atLeastOneField } from '../../../service/fields.ts';
import { findOrRefuse, SandboxError } from '../errors.ts';
import { NoInput, parseInput } from '../input/fields.ts';
import { overlay } from '../input/seed.ts';
import {
  type AccountRequest,
  accountRequestTransitions,
  createAccountRequest,
  createDedicatedAccount,
  DedicatedAccountSeed,
  dedicatedAccountTransitions,
  type SandboxDedicatedAccount,
} from '../records/dedicated-account.ts';
import { checkTransition } from '../records/transitions.ts';
import { nextUpdatedAt } from '../state/clock.ts';
import { refuseKnownId } from '../state/collection.ts';
import { isAccountNumberTaken, type SandboxWorld } from '../world/create-world.ts';
import { type ControlCalls, type HandlersOf, isOneOf, listPage } from './handler.ts';

export const dedicatedAccountOperations: HandlersOf<'dedicatedAccounts'> = {
  /** Each call creates another request, because the body has no reference of the merchant. */
  'dedicatedAccounts.create': ({ body }, { state, settings, mint, clock }) => {
    const { bank, dialect } = settings;
    const request = createAccountRequest(body, { mint, nowMs: clock.now(), bank, dialect });
    const { id, status } = state.accountRequests.put(request);
    return { status, accountRequestCode: id, message: 'The customer has been asked for consent.' };
  },

  'dedicatedAccounts.list': ({ query }, world) =>
    listPage(world, world.state.dedicatedAccounts.list(), query, ({ status }) =>
      isOneOf(query.status, status),
    ),

  'dedicatedAccounts.retrieve': ({ parameters: { id } }, { state }) => {
    const message = `No dedicated account has the id "${id}"; it is created when the customer consents.`;
    return findOrRefuse(state.dedicatedAccounts.get(id), 'dedicated_account_not_found', message);
  },
};

const DedicatedAccountUpdateInput = v.pipe(
  v.strictObject({
    status: v.optional(oneOf(dedicatedAccountStatuses)),
    acceptedAmountPolicy: v.optional(oneOf(acceptedAmountPolicies)),
  }),
  atLeastOneField('name status, acceptedAmountPolicy or both'),
);
type DedicatedAccountUpdateInput = v.InferInput<typeof DedicatedAccountUpdateInput>;

export const dedicatedAccountCalls = {
  /** Lists every request for an account, newest first. */
  listDedicatedAccounts: {
    run: (world) => world.state.accountRequests.list().map((request) => toControl(world, request)),
  },
  /**
   * Gives the customer's consent, which creates the account. Refuses with `account_request_not_found`, `transition_not_allowed`,
   * `id_exists`, `account_number_exists`, `validation_failed`.
   */
  consentToDedicatedAccount: {
    request: DedicatedAccountSeed,
    run: consent,
  },
  /** Refuses the consent, which is final. Refuses with `account_request_not_found`, `transition_not_allowed`. */
  refuseDedicatedAccount: {
    request: NoInput,
    run: refuse,
  },
  /**
   * Changes the policy of an account, and moves its status along `dedicatedAccountTransitions`. Refuses with `account_request_not_found`,
   * `consent_missing`, `transition_not_allowed`, `validation_failed`.
   */
  updateDedicatedAccount: {
    request: DedicatedAccountUpdateInput,
    run: update,
  },
} satisfies ControlCalls;

function findRequest({ state }: SandboxWorld, code: string): AccountRequest {
  const message = `No request for an account has the code "${code}"; list them for those that exist.`;
  return findOrRefuse(state.accountRequests.get(code), 'account_request_not_found', message);
}

const accountOf = ({ state }: SandboxWorld, { id }: AccountRequest): SandboxDedicatedAccount | null =>
  state.dedicatedAccounts.find(({ accountRequestCode }) => accountRequestCode === id) ?? null;

function toControl(world: SandboxWorld, request: AccountRequest) {
  const { id: accountRequestCode, status, bank: _preferred, ...shown } = request;
  const account = accountOf(world, request);
  return {
    accountRequestCode,
    ...shown,
    /** The status of the account, or of the request before there is one. */
    status: account?.status ?? status,
    /** The statuses that `updateDedicatedAccount` allows now. */
    nextStatuses: account === null ? [] : dedicatedAccountTransitions[account.status],
    account,
    /** Transfers to the account, oldest first, including returned ones. */
    transfers: world.state.accountTransfers
      .list()
      .filter(({ accountNumber }) => accountNumber === account?.accountNumber)
      .reverse(),
  };
}

function consent(world: SandboxWorld, accountRequestCode: string, input: DedicatedAccountSeed = {}) {
  const { state, mint, clock } = world;
  const request = findRequest(world, accountRequestCode);
  const seed = parseInput(DedicatedAccountSeed, input);
  checkRequestTransition(request, 'active');
  const account = createDedicatedAccount(request, seed, { mint, nowMs: clock.now() });
  refuseKnownId(account.id, state.dedicatedAccounts);
  const { accountNumber } = account;
  if (isAccountNumberTaken(state, accountNumber)) {
    const message = `The account number ${accountNumber} is another account's; leave it out, and the sandbox creates one.`;
    throw new SandboxError('account_number_exists', message, { params: ['accountNumber'] });
  }
  state.accountRequests.put({ ...request, status: 'active' });
  return putAccount(world, request, account);
}

/** Stores a new or changed account and sends a callback about it. */
function putAccount(
  { state, callbacks }: SandboxWorld,
  { callbackUrl }: AccountRequest,
  account: SandboxDedicatedAccount,
): SandboxDedicatedAccount {
  const { id, status } = account;
  callbacks.notify({ record: 'dedicated_account', id, status, callbackUrl, data: account });
  return state.dedicatedAccounts.put(account);
}

function refuse(world: SandboxWorld, accountRequestCode: string) {
  const request = findRequest(world, accountRequestCode);
  checkRequestTransition(request, 'refused');
  const { id, callbackUrl } = request;
  const status = 'refused';
  // Without an account, the callback has the response of 4.1.
  const data = { status, accountRequestCode, message: 'The customer has refused.' };
  world.callbacks.notify({ record: 'dedicated_account', id, status, callbackUrl, data });
  return toControl(world, world.state.accountRequests.put({ ...request, status }));
}

const checkRequestTransition = ({ status: from }: AccountRequest, to: AccountRequest['status']): void =>
  checkTransition('A request for an account', accountRequestTransitions, { from, to });

function update(world: SandboxWorld, accountRequestCode: string, input: DedicatedAccountUpdateInput) {
  const request = findRequest(world, accountRequestCode);
  const changes = parseInput(DedicatedAccountUpdateInput, input);
  const account = accountOf(world, request);
  if (account === null) {
    const message = `The request is ${request.status}; it has no account to change.`;
    throw new SandboxError('consent_missing', message);
  }
  if (changes.status !== undefined) {
    const change = { from: account.status, to: changes.status };
    checkTransition('A dedicated account', dedicatedAccountTransitions, change);
  }
  const updatedAt = nextUpdatedAt(account, world.clock.now());
  putAccount(world, request, { ...overlay(account, changes), updatedAt });
  return toControl(world, request);
}
