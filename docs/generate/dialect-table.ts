import { defaultServiceDialect, ServiceDialect } from '../../server-kit/service/dialect.ts';
import { code, tableOf } from './markdown.ts';
import { entriesOf } from './source.ts';

const listOf = (values: unknown): string =>
  [values]
    .flat()
    .map((value) => code(String(value)))
    .join(', ');

/** Returns a row for each field of the dialect, and one for each parameter name in it. */
export function dialectTable(): string {
  const { listParameters, ...defaults } = defaultServiceDialect;
  const fields = entriesOf('ServiceDialect', 'server-kit/service').flatMap(({ name, description }) =>
    name in defaults
      ? [[code(name), listOf(defaults[name as keyof typeof defaults]), otherChoices(name), description]]
      : [],
  );
  const parameters = entriesOf('ListParameters', 'server-kit/service').map(({ name, description }) => [
    code(`listParameters.${name}`),
    listOf(listParameters[name as keyof typeof listParameters]),
    '',
    description,
  ]);
  return tableOf(['field', 'default', 'other choices', ''], [...fields, ...parameters]);
}

/** The choices of a closed list, without the default. */
function otherChoices(name: string): string {
  const { wrapped } = ServiceDialect.entries[name as keyof typeof ServiceDialect.entries];
  const choices = 'options' in wrapped ? wrapped.options : [];
  return choices
    .filter((choice) => choice !== defaultServiceDialect[name as keyof typeof defaultServiceDialect])
    .map(code)
    .join(', ');
}
