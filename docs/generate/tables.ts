import { endpoints } from '../../server-kit/api/endpoints.ts';
import { run } from '../../server-kit/cli/run.ts';
import { defaultDialect, defaultLimits } from '../../server-kit/index.ts';
import { controlCalls } from '../../server-kit/sandbox/control.ts';
import { sandboxErrors } from '../../server-kit/sandbox/http/error-codes.ts';
import * as sandbox from '../../server-kit/sandbox/index.ts';
import { createCounters } from '../../server-kit/telemetry/counters.ts';
import { checkoutErrorStatus } from '../../src/contract/index.ts';
import type { CheckoutEventName } from '../../src/core/index.ts';
import { languages } from '../../src/i18n/languages.ts';
import { attributeOf } from '../../src/mount/options/attribute-of.ts';
import { callbackName } from '../../src/mount/options/options.ts';
import { writtenOptions } from '../../src/mount/options/written-options.ts';
import { block, code, tableOf } from './markdown.ts';
import { casesOf, commentOf, type Documented, entriesOf, membersOf } from './source.ts';

const described = ({ name, description }: Documented) => [code(name), description];

function optionTable(options: readonly Documented[]): string {
  const typeOf = ({ type, isOptional }: Documented): string =>
    `${code(type.replace(/readonly | ?\| undefined/g, ''))}${isOptional ? '' : ', required'}`;
  return tableOf(
    ['option', 'type', ''],
    options.map((option) => [code(option.name), typeOf(option), option.description]),
  );
}

function transitionTable(transitions: Readonly<Record<string, readonly string[]>>): string {
  const rows = Object.entries(transitions).map(([status, next]) => [code(status), next.map(code).join(', ')]);
  return tableOf(['status', 'can be followed by'], rows);
}

function dialectTable(): string {
  const rows = (
    fields: readonly Documented[],
    prefix: string,
    values: Readonly<Record<string, unknown>>,
  ): string[][] =>
    fields.flatMap(({ name, description }) => {
      const value = values[name];
      const isGroup = typeof value === 'object' && !Array.isArray(value);
      return isGroup
        ? rows(entriesOf('ParameterNames', 'server-kit/api'), `${name}.`, value as Record<string, unknown>)
        : [
            [
              code(prefix + name),
              [value]
                .flat()
                .map((each) => code(String(each)))
                .join(', '),
              description,
            ],
          ];
    });
  return tableOf(['field', 'default', ''], rows(entriesOf('Dialect', 'server-kit/api'), '', defaultDialect));
}

function eventTable(): string {
  const detailOf = (type: string): string[] =>
    /^\w+$/.test(type)
      ? membersOf(type, 'src').map(({ name }) => name)
      : [...type.matchAll(/(\w+):/g)].flatMap(([, name = '']) => name);
  const rows = membersOf('CheckoutEventDetails', 'src').map(({ name, type, description }) => [
    code(name.toLowerCase()),
    code(callbackName(name as CheckoutEventName)),
    detailOf(type).map(code).join(', '),
    description,
  ]);
  return tableOf(['event', 'callback', '`detail`', ''], rows);
}

/** Returns the help of the command line and of each of its commands, as `--help` prints it. */
async function commandHelp(command: readonly string[] = []): Promise<string> {
  let help = '';
  const stdout = { columns: 100, write: (part: string) => (help += part) };
  const io = { stdout, stderr: stdout, env: {}, signal: new AbortController().signal };
  await run([...command, '--help'], io as unknown as Parameters<typeof run>[1]);
  const [own = '', list = ''] = help.split('\nCommands:\n');
  const names = [...(list.split('\n\n')[0] ?? '').matchAll(/^ {2}([a-z][\w-]*)/gm)].flatMap(
    ([, name = '']) => name,
  );
  const inner = await Promise.all(
    names.filter((name) => name !== 'help').map((name) => commandHelp([...command, name])),
  );
  const isGroup = inner.length > 0 && command.length > 0;
  const shown = command.length === 0 ? help : own.replace(/\nExit codes:[\s\S]*/, '');
  const section = `${command.length === 0 ? '' : `### ${command.join(' ')}\n\n`}${block(shown)}`;
  return [...(isGroup ? [] : [section]), ...inner].join('\n\n');
}

const routeRow = ({ name, description }: Documented): string[] => {
  const [request = '', ...rest] = description.split(': ');
  return [request, rest.join(': '), code(name)];
};

/** What `npm run docs` writes into the pages, by the name in their markers. */
export const tables: Readonly<Record<string, () => string | Promise<string>>> = {
  'widget-options': () => optionTable(membersOf('CheckoutOptions', 'src/mount')),
  'appearance-options': () => optionTable(membersOf('Appearance', 'src/mount')),
  'render-options': () => optionTable(membersOf('RenderOptions', 'src/mount')),
  attributes: () => [...writtenOptions, 'theme', 'density'].map((name) => code(attributeOf(name))).join(', '),
  languages: () =>
    tableOf(
      ['`locale`', 'language', 'reviewed by'],
      [
        ['`en`', 'English', 'its authors'],
        ...Object.entries(languages).map(([tag, { name, reviewedBy }]) => [
          code(tag),
          name,
          reviewedBy ?? 'nobody yet',
        ]),
      ],
    ),
  events: eventTable,
  'checkout-options': () => optionTable(membersOf('CheckoutOptions', 'server-kit')),
  handlers: () => tableOf(['handler', ''], membersOf('OutcomeHandlers', 'server-kit').map(described)),
  'handler-event': () => tableOf(['field', ''], membersOf('PaidEvent', 'server-kit').map(described)),
  limits: () =>
    tableOf(
      ['limit', 'default', ''],
      entriesOf('defaultLimits', 'server-kit').map(({ name, description }) => {
        const { limit, perSeconds } = defaultLimits[name as keyof typeof defaultLimits];
        return [code(name), `${limit.toLocaleString('en')} in ${perSeconds} s`, description];
      }),
    ),
  order: () => tableOf(['field', ''], entriesOf('Order', 'server-kit').map(described)),
  'client-options': () => optionTable(membersOf('PaymentsClientOptions', 'server-kit')),
  'sandbox-options': () => optionTable(membersOf('SandboxOptions', 'server-kit')),
  'test-shop': () => tableOf(['member', ''], membersOf('TestShop', 'server-kit').map(described)),
  dialect: dialectTable,
  'checkout-errors': () =>
    tableOf(
      ['code', 'status', ''],
      entriesOf('checkoutErrorStatus', 'src/contract').map(({ name, description }) => [
        code(name),
        `${checkoutErrorStatus[name as keyof typeof checkoutErrorStatus] ?? 'in the browser'}`,
        description,
      ]),
    ),
  'payments-errors': () => commentOf('PaymentsErrorCode', 'server-kit'),
  'signature-errors': () =>
    casesOf('SignatureErrorCode', 'server-kit')
      .map(({ name }) => code(name))
      .join(', '),
  'sandbox-errors': () =>
    tableOf(
      ['code', 'status', 'type', ''],
      entriesOf('sandboxErrors', 'server-kit/sandbox').map(({ name, description }) => {
        const { status, type } = sandboxErrors[name as keyof typeof sandboxErrors];
        return [code(name), `${status}`, code(type), description];
      }),
    ),
  routes: () =>
    tableOf(
      ['request', 'response', '`route` in the log'],
      casesOf('RouteName', 'server-kit')
        .filter(({ name }) => name !== 'none')
        .map(routeRow),
    ),
  endpoints: () =>
    tableOf(
      ['call', 'section', 'endpoint', ''],
      Object.entries(endpoints).map(([operation, { section, method, path, summary }]) => [
        code(operation),
        section,
        code(`${method} ${path}`),
        summary,
      ]),
    ),
  'control-calls': () =>
    tableOf(
      ['call', '`sandbox.control`', ''],
      Object.entries(controlCalls).map(([name, { method, path, summary }]) => [
        code(`${method} ${path}`),
        code(name),
        summary,
      ]),
    ),
  outcomes: () => commentOf('Outcome', 'src/contract'),
  'payment-states': () => transitionTable(sandbox.paymentTransitions),
  'account-request-states': () => transitionTable(sandbox.accountRequestTransitions),
  'dedicated-account-states': () => transitionTable(sandbox.dedicatedAccountTransitions),
  'payout-states': () => transitionTable(sandbox.payoutTransitions),
  'confirmation-states': () => transitionTable(sandbox.payoutConfirmationTransitions),
  'invoice-states': () => transitionTable(sandbox.invoiceTransitions),
  'log-events': () =>
    tableOf(
      ['type', 'fields', ''],
      casesOf('LogEvent', 'server-kit').map(({ name, members, description }) => [
        code(name),
        members.map(code).join(', '),
        description,
      ]),
    ),
  'ignored-reasons': () => commentOf('IgnoredReason', 'server-kit'),
  gauges: () => tableOf(['gauge', ''], membersOf('Gauges', 'server-kit').map(described)),
  counters: () => Object.keys(createCounters()).map(code).join(', '),
  commands: () => commandHelp(),
};
