import { code, tableOf } from './markdown.ts';
import { type Documented, entriesOf } from './source.ts';

/** The options of a reference page, by topic: a heading for each. */
type Topics = Readonly<Record<string, readonly string[]>>;

export const widgetTopics: Topics = {
  'Server and order': ['baseUrl', 'body', 'orderKey', 'session', 'credentials'],
  'The shop': ['merchantName', 'logo', 'returnUrl', 'returnAfterSeconds', 'supportUrl', 'supportEmail'],
  'Ways to pay': ['payLink', 'shareDetails', 'ussd'],
  'Text and languages': ['locale', 'languages', 'text', 'refundTime', 'currencyDisplay'],
  Look: ['appearance'],
};

export const checkoutTopics: Topics = {
  Required: ['client', 'store', 'getOrder', 'onPaid', 'clientSecretKeys', 'publicUrl'],
  Handlers: ['onAttention', 'onFailed', 'onExpired', 'onUnknownPayment', 'handlers'],
  'Addresses and clients': ['basePath', 'allowedOrigins', 'clientKey', 'limits'],
  Operating: ['onLog', 'operatorKey', 'maxVerificationsPerSecond', 'allowSandbox', 'testing'],
};

export const clientTopics: Topics = {
  Required: ['baseUrl', 'apiSecret'],
  'Keys and mode': ['apiKey', 'liveMode', 'authToken'],
  Calls: ['timeoutMs', 'maxRetries', 'fetch', 'dialect'],
  'For tests': ['now', 'random', 'wait'],
};

/** A section for each topic. Throws if an option has no topic, or a topic names none. */
export function topicSections(options: readonly Documented[], topics: Topics): string {
  const names = options.map(({ name }) => name).sort();
  const listed = Object.values(topics).flat().sort();
  const odd = [...names, ...listed].filter((name) => !names.includes(name) || !listed.includes(name));
  if (odd.length > 0) throw new Error(`The topics in option-tables.ts do not fit: ${odd.join(', ')}.`);
  return Object.entries(topics)
    .map(([topic, wanted]) => {
      const rows = wanted.flatMap((name) => options.filter((option) => option.name === name));
      return `## ${topic}\n\n${optionTable(rows)}`;
    })
    .join('\n\n');
}

/** A table with the required options first. */
export function optionTable(options: readonly Documented[]): string {
  const sorted = options.toSorted((a, b) => Number(a.isOptional) - Number(b.isOptional));
  return memberTable('option', sorted, ({ isOptional }) => (isOptional ? '' : ', required'));
}

export const memberTable = (
  head: string,
  members: readonly Documented[],
  note = (_member: Documented) => '',
): string =>
  tableOf(
    [head, 'type', ''],
    members.map((member) => [code(member.name), code(typeOf(member)) + note(member), member.description]),
  );

/** The type as its reader thinks of it: without what holds for every option. */
const typeOf = ({ type }: Documented): string =>
  type.replace(/readonly | ?\| undefined/g, '').replace(/^\((\(.*)\)$/, '$1');

/** The rows of a table of the widget's options. */
export const widgetOptions = (table: string): Documented[] =>
  entriesOf(table, 'src/options')
    .filter(({ name }) => !/^on[A-Z]/.test(name))
    .map((row) => ({ ...row, type: typeOfRow(row.type), isOptional: true }));

/** The type of a row such as `option<string>(…)`, `oneOf('symbol', 'code')` or `group(appearanceOptions)`. */
function typeOfRow(row: string): string {
  const [, choices] = /\boneOf\(([^)]*)\)/.exec(row) ?? [];
  const [, value] = /<(.*?)>(?:\(|$)/s.exec(row) ?? [];
  if (row.startsWith('flag(')) return 'boolean';
  if (row.includes('group(')) return row.includes('appearanceOptions') ? 'Appearance' : 'object';
  return choices?.replaceAll(', ', ' | ') ?? value ?? 'object';
}

/** The options that a schema names. */
export const schemaOptions = (schema: string): Documented[] =>
  entriesOf(schema, 'server-kit').map((option) => ({
    ...option,
    type: typeOfSchema(option.type),
    isOptional: /^(v\.optional|whole)\(/.test(option.type),
  }));

/** The type that a schema stands for, as far as the options need it. */
function typeOfSchema(schema: string): string {
  const [, named] = /(?:aFunction|objectWith|v\.custom)<\s*(.*?)\s*>(?:\(|,?\s*\)|$)/.exec(schema) ?? [];
  const [, input] = /GenericSchema<([^,>]+)/.exec(schema) ?? [];
  const [, literal] = /v\.literal\(('[^']*'|\w+)/.exec(schema) ?? [];
  if (named !== undefined || input !== undefined) return named ?? input ?? '';
  if (schema.includes('as List')) return 'readonly string[]';
  if (/\b(seconds|wholeNumber)\(/.test(schema)) return 'number';
  if (/^whole\(|Milliseconds,/.test(schema)) return schema.includes('strictObject') ? 'object' : 'number';
  if (schema.includes('ServiceDialect')) return 'DialectChoices';
  if (literal !== undefined) return schema.includes('Options') ? `${literal} | object` : literal;
  if (/v\.object\(|\bTesting\b/.test(schema)) return 'object';
  return schema.includes('v.boolean(') ? 'boolean' : 'string';
}
