import { readdirSync, readFileSync } from 'node:fs';
import { endpoints } from '../../server-kit/service/endpoints.ts';
import { controlRoutes } from '../../server-kit/tools/sandbox/calls/control-routes.ts';
import type { ControlCall } from '../../server-kit/tools/sandbox/calls/handler.ts';
import { controlCalls } from '../../server-kit/tools/sandbox/calls/registry.ts';
import { sandboxErrors } from '../../server-kit/tools/sandbox/errors.ts';
import * as sandbox from '../../server-kit/tools/sandbox/index.ts';
import { checkoutErrorStatus } from '../../src/contract/index.ts';
import type { CheckoutEventName } from '../../src/core/events.ts';
import { attributeName, attributeOptions } from '../../src/entry/attributes.ts';
import { languages } from '../../src/i18n/languages.ts';
import { callbackName } from '../../src/options/options.ts';
import { commandHelp } from './command-help.ts';
import { dialectTable } from './dialect-table.ts';
import { exampleTables } from './examples.ts';
import { code, tableOf } from './markdown.ts';
import {
  checkoutTopics,
  clientTopics,
  memberTable,
  optionTable,
  schemaOptions,
  topicSections,
  widgetOptions,
  widgetTopics,
} from './option-tables.ts';
import { orderSituations } from './order-situations.ts';
import { projectFolder } from './pages.ts';
import { readmeSections } from './readme-sections.ts';
import { endpointSections, linkToSection, recordSections } from './service-interface.ts';
import { casesOf, commentOf, type Documented, entriesOf, membersOf } from './source.ts';
import { webhookEvents } from './webhook-events.ts';

/** A table of names and descriptions. */
const describedTable = (head: string, rows: readonly Documented[]): string =>
  tableOf(
    [head, ''],
    rows.map(({ name, description }) => [code(name), description]),
  );

/** A heading for each code, so that a link can lead to it. A code's comment says what happened, and then what to do. */
const errorSections = (error: string, codes: readonly Documented[], note = (_name: string) => ''): string =>
  codes
    .map(({ name, description }) => {
      // Short comments say both in one line: what happened in the first sentence.
      const [, happened, advice] = /^(.*?(?:\n\n|\.(?= )))\s*(.*)$/s.exec(description) ?? [];
      if (!happened || !advice) throw new Error(`The comment of ${name} must say what to do about it.`);
      return `### ${error}: ${name}\n\n${note(name)}${happened}\n\n**What to do:** ${advice}`;
    })
    .join('\n\n');

/** The fields of a schema, those of its objects below them as `amount.value`. */
function schemaTable(name: string, folder: string): string {
  const isRequired = ({ type }: Documented) => !type.startsWith('v.optional(');
  const rowsOf = (schema: string, path = ''): string[][] =>
    entriesOf(schema, folder).flatMap((field) => {
      const [nested] = /\b(RequestAmount|OrderCustomer|Money)\b/.exec(field.type) ?? [];
      const row = [code(path + field.name), isRequired(field) ? 'yes' : '', field.description];
      return [row, ...(nested === undefined ? [] : rowsOf(nested, `${path}${field.name}.`))];
    });
  return tableOf(['field', 'required', ''], rowsOf(name));
}

function transitionTable(transitions: Readonly<Record<string, readonly string[]>>): string {
  const rows = Object.entries(transitions).map(([status, next]) => [code(status), next.map(code).join(', ')]);
  return tableOf(['status', 'can be followed by'], rows);
}

function eventTable(): string {
  const detailOf = (type: string): string[] =>
    /^\w+$/.test(type)
      ? membersOf(type, 'src').map(({ name }) => name)
      : [...type.matchAll(/(\w+):/g)].flatMap(([, name = '']) => name);
  const callbacks = new Map(
    entriesOf('options', 'src/options').map(({ name, description }) => [name, description]),
  );
  const rows = membersOf('CheckoutEventDetails', 'src').map(({ name, type }) => {
    const callback = callbackName(name as CheckoutEventName);
    const details = detailOf(type).map(code).join(', ');
    return [code(name.toLowerCase()), code(callback), details, callbacks.get(callback) ?? ''];
  });
  return tableOf(['event', 'callback', '`detail`', ''], rows);
}

/** A link to each decision, by its heading `# 1. …`. */
function decisionTable(): string {
  const folder = `${projectFolder}docs/decisions/`;
  const rows = readdirSync(folder)
    .filter((name) => /^\d/.test(name))
    .sort()
    .map((name) => {
      const [, number = '', title = ''] = /^# (\d+)\. (.*)/.exec(readFileSync(folder + name, 'utf8')) ?? [];
      return [number, `[${title}](${name})`];
    });
  return tableOf(['', 'decision'], rows);
}

function logEventTable(): string {
  const levels = new Map(
    entriesOf('levels', 'server-kit/engine/telemetry').map(({ name, type }) => [name, /\w+/.exec(type)?.[0]]),
  );
  const rows = casesOf('LogEvent', 'server-kit').map(({ name, members, description }) => [
    code(name),
    levels.get(name) ?? '',
    members.map(code).join(', '),
    description,
  ]);
  return tableOf(['type', 'level', 'fields', ''], rows);
}

const routeRow = ({ name, description }: Documented): string[] => {
  const [request = '', ...rest] = description.split(': ');
  return [request, rest.join(': '), code(name)];
};

/** Names the fields of a request body, if they are few. */
function bodyOf(schema: object | undefined): string {
  const fields = Object.keys(schema !== undefined && 'entries' in schema ? Object(schema.entries) : {});
  return fields.length > 8 ? "any of the record's fields" : fields.map(code).join(', ');
}

/** The doc comments of the sandbox's control functions, by name. */
const controlDescriptions = new Map(
  [
    ...['payment', 'checkoutLink', 'transfer', 'dedicatedAccount', 'payout', 'invoice'],
    ...['taxRate', 'app', 'clock', 'callback', 'fault', 'requestLog'],
  ].flatMap((name) =>
    entriesOf(`${name}Calls`, 'server-kit/tools/sandbox').map(
      ({ name, description }) => [name, description] as const,
    ),
  ),
);

/** What `npm run docs` writes into the pages, by the name in their markers. */
export const tables: Readonly<Record<string, () => string | Promise<string>>> = {
  'widget-options': () => topicSections(widgetOptions('options'), widgetTopics),
  'appearance-options': () => optionTable(widgetOptions('appearanceOptions')),
  'render-options': () => {
    const unrendered = casesOf('Unrendered', 'src/entry').map(({ name }) => name);
    return optionTable([
      ...membersOf('RenderOptions', 'src/entry'),
      ...widgetOptions('options').filter(({ name }) => !unrendered.includes(name)),
    ]);
  },
  attributes: () => attributeOptions.map((name) => code(attributeName(name))).join(', '),
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
  'checkout-options': () =>
    topicSections(
      [...membersOf('OutcomeHandlers', 'server-kit'), ...schemaOptions('CheckoutOptions')],
      checkoutTopics,
    ),
  'create-payment': () => describedTable('field', membersOf('GetOrderRequest', 'server-kit')),
  handlers: () => describedTable('handler', membersOf('OutcomeHandlers', 'server-kit')),
  'handler-event': () => describedTable('field', membersOf('PaidEvent', 'server-kit')),
  methods: () => memberTable('method', membersOf('TransferCheckout', 'src/entry')),
  checkout: () => memberTable('member', membersOf('Checkout', 'server-kit')),
  order: () => schemaTable('OrderRequest', 'server-kit'),
  session: () => schemaTable('Session', 'src/contract'),
  'payment-view': () => schemaTable('PaymentView', 'src/contract'),
  'client-options': () => topicSections(schemaOptions('PaymentsClientOptions'), clientTopics),
  'serve-variables': () =>
    tableOf(
      ['variable', 'required', ''],
      entriesOf('Variables', 'server-kit/serve').map(({ name, type, description }) => [
        code(name),
        type.startsWith('v.optional(') ? '' : 'yes',
        description,
      ]),
    ),
  'order-situations': orderSituations,
  'webhook-events': webhookEvents,
  'sandbox-options': () => optionTable(schemaOptions('SandboxOptions')),
  'test-shop': () => describedTable('member', membersOf('TestShop', 'server-kit')),
  dialect: dialectTable,
  'checkout-errors': () =>
    errorSections('CheckoutError', entriesOf('checkoutErrorStatus', 'src/contract'), (name) => {
      const status = checkoutErrorStatus[name as keyof typeof checkoutErrorStatus];
      return status === undefined ? 'Never sent by the server. ' : `Status ${status}. `;
    }),
  'payments-errors': () => errorSections('PaymentsError', casesOf('PaymentsErrorCode', 'server-kit')),
  'signature-errors': () => errorSections('SignatureError', casesOf('SignatureErrorCode', 'server-kit')),
  'sandbox-errors': () =>
    tableOf(
      ['code', 'status', 'type', ''],
      entriesOf('sandboxErrors', 'server-kit/tools/sandbox').map(({ name, description }) => {
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
      Object.entries(endpoints).map(([operation, endpoint]) => [
        code(operation),
        linkToSection(endpoint),
        code(`${endpoint.method} ${endpoint.path}`),
        endpoint.summary,
      ]),
    ),
  'interface-records': recordSections,
  'interface-endpoints': endpointSections,
  'control-calls': () =>
    tableOf(
      ['call', '`sandbox.control`', 'body', ''],
      (Object.entries(controlCalls) as [keyof typeof controlRoutes, ControlCall][]).map(
        ([name, { request }]) => [
          code(`${controlRoutes[name].method} ${controlRoutes[name].path}`),
          code(name),
          bodyOf(request),
          controlDescriptions.get(name) ?? '',
        ],
      ),
    ),
  outcomes: () => commentOf('outcomes', 'src/contract', false),
  'payment-states': () => transitionTable(sandbox.paymentTransitions),
  'account-request-states': () => transitionTable(sandbox.accountRequestTransitions),
  'dedicated-account-states': () => transitionTable(sandbox.dedicatedAccountTransitions),
  'payout-states': () => transitionTable(sandbox.payoutTransitions),
  'confirmation-states': () => transitionTable(sandbox.payoutConfirmationTransitions),
  'invoice-states': () => transitionTable(sandbox.invoiceTransitions),
  'log-events': logEventTable,
  'ignored-reasons': () => commentOf('IgnoredReason', 'server-kit'),
  gauges: () => describedTable('gauge', membersOf('Measures', 'server-kit')),
  commands: () => commandHelp(),
  decisions: decisionTable,
  ...exampleTables,
  ...readmeSections,
};
