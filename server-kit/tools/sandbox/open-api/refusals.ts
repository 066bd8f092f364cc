import type { Endpoint } from '../../../client/api/endpoints.ts';
import { ErrorEnvelope } from '../../../client/errors/error-envelope.ts';
import { referTo } from './schemas.ts';

type Refusal = { description: string; applies: (endpoint: Endpoint) => boolean };

const always = (): boolean => true;
const hasBody = ({ request }: Endpoint): boolean => request !== undefined;

/** The refusals of endpoints, by status. */
const refusals: Readonly<Record<string, Refusal>> = {
  400: {
    description: 'The body cannot be read: body_missing, body_malformed, content_type_unsupported.',
    applies: hasBody,
  },
  401: {
    description:
      'The request is not authentic: request_signature_missing, request_signature_invalid, request_timestamp_invalid, ' +
      'request_timestamp_out_of_tolerance, api_key_invalid; for apps auth_token_missing, auth_token_invalid.',
    applies: always,
  },
  404: { description: 'No record has this id or reference.', applies: ({ path }) => path.includes('{') },
  409: {
    description: 'The request conflicts with a stored record, such as reference_exists.',
    applies: hasBody,
  },
  413: { description: 'The body has 1 MB or more: body_too_large.', applies: hasBody },
  422: {
    description: 'Parameters are invalid: validation_failed, with their names in params.',
    applies: (endpoint) => hasBody(endpoint) || endpoint.query !== undefined,
  },
  500: { description: 'The service itself failed: internal_error, storage_failed.', applies: always },
};

const content = { 'application/json': { schema: referTo(ErrorEnvelope) } };

const nameOf = (status: string): string => `Refusal${status}`;

/** The `responses` of the components. */
export const refusalResponses: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(refusals).map(([status, { description }]) => [nameOf(status), { description, content }]),
);

/** Returns references to the refusals of an endpoint. */
export const refusalsOf = (endpoint: Endpoint): Record<string, object> =>
  Object.fromEntries(
    Object.entries(refusals)
      .filter(([, { applies }]) => applies(endpoint))
      .map(([status]) => [status, { $ref: `#/components/responses/${nameOf(status)}` }]),
  );
