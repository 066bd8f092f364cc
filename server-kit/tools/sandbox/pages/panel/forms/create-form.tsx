import { usePanel } from '../model/panel-context.ts';
import { CollapsibleForm } from '../parts/section.tsx';
import { Form } from './form.tsx';
import type { FieldSpec } from './form-field.tsx';

export type CreateFormProps<T> = {
  /** The kind of record: `tax rate`. */
  kind: string;
  fields: readonly FieldSpec[];
  create: (values: object) => Promise<T>;
  nameOf: (record: T) => string;
};

/** A form that creates a record, collapsed until it is needed. */
export function CreateForm<T>({ kind, fields, create, nameOf }: CreateFormProps<T>) {
  const { act } = usePanel();
  return (
    <CollapsibleForm title={`New ${kind}`}>
      <Form
        name={`create-${kind.replace(' ', '-')}`}
        fields={fields}
        submit={`Create ${kind}`}
        run={(values) =>
          act(
            () => create(values),
            (record) => `Created the ${kind} ${nameOf(record)}.`,
          )
        }
      />
    </CollapsibleForm>
  );
}
