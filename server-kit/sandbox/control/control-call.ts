import type * as v from 'valibot';
import type { ParameterOf } from '../http/router.ts';

type Path = `/_sandbox/${string}`;

/**
 * One control call over HTTP. Not signed; JSON in and out; the error envelope of the service.
 *
 * `Control` holds the function that does it in process.
 */
export type ControlCall<Control> = {
  method: 'GET' | 'POST' | 'DELETE';
  path: Path;
  /** One line for the documentation and the panel. */
  summary: string;
  /** The body. `answer` hands it on as it came: the function checks it. */
  request?: v.GenericSchema;
  answer: (control: Control, parameters: Readonly<Record<string, string>>, body: unknown) => unknown;
};

/** A row as it is written: with the parameters of its path, and the body as its schema takes it. */
type Row<Control, Template extends Path, Schema extends v.GenericSchema> = Omit<
  ControlCall<Control>,
  'path' | 'request' | 'answer'
> & {
  path: Template;
  request?: Schema;
  answer: (
    control: Control,
    parameters: Readonly<Record<ParameterOf<Template>, string>>,
    body: v.InferInput<Schema>,
  ) => unknown;
};

/** What makes the rows of the control calls that do what `Control` does. */
export const controlCallsOf =
  <Control>() =>
  <const Template extends Path, Schema extends v.GenericSchema>(
    row: Row<Control, Template, Schema>,
  ): ControlCall<Control> =>
    // The router gives each parameter of the path, and the function checks the body.
    row as ControlCall<Control>;
