import { InvokerFieldVisibility } from '../../generated/operations';
import type { ConnectorInvokerFragment, ConnectorRecordFragment } from '../../generated/operations';
import { enteredText, throwUserErrors } from '../../parts/form';

export type RequiredField = ConnectorInvokerFragment['requiredData'][number];
type StoredField = ConnectorRecordFragment['requestData'][number];

/** A value of the credentials, as it is sent. */
interface EnteredField {
  readonly name: string;
  readonly value: string;
}

export const inputNameOf = (field: string): string => `requestData.${field}`;

export const storedFieldOf = (
  connector: ConnectorRecordFragment | null,
  name: string,
): StoredField | undefined => connector?.requestData.find((field) => field.name === name);

/** Fields that a user enters: the service computes the private ones. */
export const enteredFields = (invoker: ConnectorInvokerFragment): readonly RequiredField[] =>
  invoker.requiredData.filter(({ visibility }) => visibility !== InvokerFieldVisibility.Private);

/** The value that an input begins with. Hidden values and their defaults are not shown. */
export function initialValueOf(
  field: RequiredField,
  connector: ConnectorRecordFragment | null,
): string {
  if (field.visibility !== InvokerFieldVisibility.Public) return '';
  const stored = storedFieldOf(connector, field.name);
  return stored?.stored === true ? (stored.value ?? '') : field.value;
}

/** Returns the values that differ from the stored ones: an empty input keeps a hidden value. */
export const changedFields = (
  values: FormData,
  invoker: ConnectorInvokerFragment,
  connector: ConnectorRecordFragment | null,
): EnteredField[] =>
  enteredFields(invoker)
    .map((field) => ({ field, value: enteredText(values, inputNameOf(field.name)) }))
    .filter(
      ({ field, value }) =>
        value !== initialValueOf(field, connector) ||
        // A default that is left in its input is entered, too.
        (field.visibility === InvokerFieldVisibility.Public &&
          value !== '' &&
          storedFieldOf(connector, field.name)?.stored !== true),
    )
    .map(({ field, value }) => ({ name: field.name, value }));

/**
 * Reports rejected values at the inputs of their fields: the service names positions in the list.
 * @throws Rejected
 */
export function throwConnectorErrors(
  userErrors: readonly { readonly message: string; readonly path: readonly string[] }[],
  sent: readonly EnteredField[],
): void {
  throwUserErrors(
    userErrors.map(({ message, path: [first = '', at, ...rest] }) => {
      const field = first === 'requestData' ? sent[Number(at)] : undefined;
      return {
        message,
        path:
          field === undefined
            ? [first, ...(at === undefined ? [] : [at, ...rest])]
            : [first, field.name],
      };
    }),
  );
}
