import { type FaultKind, faultOperations } from 'transfer-checkout/sandbox';
import type { FieldSpec, Option } from '../../forms/form-field.tsx';

const kinds: Readonly<Record<FaultKind, string>> = {
  slow: 'correct, but late',
  timeout: 'no response at all',
  reset: 'the connection is cut',
  malformed: 'an incomplete response',
};

const statuses: readonly Option[] = [
  { value: '503', label: '503 service unavailable' },
  { value: '500', label: '500 server error' },
  { value: '429', label: '429 too many requests' },
  { value: '401', label: '401 unauthorised' },
  { value: '404', label: '404 not found' },
  { value: '409', label: '409 conflict' },
  { value: '422', label: '422 validation failed' },
  ...Object.entries(kinds).map(([value, meaning]) => ({ value, label: `${value}: ${meaning}` })),
];

export const faultFields: readonly FieldSpec[] = [
  {
    name: 'operation',
    label: 'Operation',
    kind: 'choice',
    options: faultOperations.map((value) => ({ value, label: value === '*' ? 'every operation' : value })),
  },
  { name: 'status', label: 'Fault', kind: 'choice', options: statuses },
  {
    name: 'times',
    label: 'How often',
    kind: 'number',
    placeholder: '1',
    hint: 'Empty: once, or without end with a chance.',
  },
  { name: 'chance', label: 'Chance, in %', kind: 'number', placeholder: '100' },
  { name: 'latencyMs', label: 'Wait first, in ms', kind: 'number', placeholder: '0' },
  { name: 'retryAfterSeconds', label: 'Retry-After, in seconds', kind: 'number', hint: 'For 429 and 503.' },
  {
    name: 'phase',
    label: 'When',
    kind: 'choice',
    options: [
      { value: 'before', label: 'before the work is done' },
      { value: 'after', label: 'after it: the response is lost' },
    ],
  },
];

/** Converts the form's values for the control call: numeric statuses, and probabilities from 0 to 1. */
export function readFault({ status, chance, ...rest }: Readonly<Record<string, unknown>>): object {
  return {
    ...rest,
    status: /^\d+$/.test(String(status)) ? Number(status) : status,
    ...(chance !== undefined && { probability: Number(chance) / 100 }),
  };
}
