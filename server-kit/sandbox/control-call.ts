import type * as v from 'valibot';

/**
 * One control call over HTTP. Not signed; JSON in and out; the error envelope of the service.
 *
 * `Control` holds the function that does it in process.
 */
export type ControlCall<Control> = {
  method: 'GET' | 'POST' | 'DELETE';
  path: `/_sandbox/${string}`;
  /** One line for the documentation and the panel. */
  summary: string;
  /** The body. `answer` hands it on as it came: the function checks it. */
  request?: v.GenericSchema;
  answer: (control: Control, parameters: Readonly<Record<string, string>>, body: unknown) => unknown;
};
