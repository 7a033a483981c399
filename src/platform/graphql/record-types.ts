import { ArgsType, Field, InputType, ObjectType } from 'type-graphql';
import { ConnectionArgs } from './connection';
import { ALL_OF, ANY_OF, NONE_OF } from './filters';
import { ListPayload, MutationPayload } from './payload';
import type { OrderBy } from './connection';

/*
 * Creates the types that every feature with lists and mutations has. Each function is called once
 * for each type.
 */

type Class<T> = abstract new () => T;

function addField(type: Class<object>, name: string, of: () => object, description: string): void {
  Field(of, { nullable: true, description })(type.prototype as object, name);
}

/**
 * Creates the filter of a list, with `and`, `or` and `not`. Convert it with `toQuery`.
 * @param plural of the record: `users`
 * @param fields the filter of each field, and its description: `{ id: [IdFilter, 'Ids of users.'] }`
 */
export function filterType(
  name: `${string}Filter`,
  plural: string,
  fields: Readonly<Record<string, readonly [Class<object>, string]>>,
): Class<object> {
  const type = class {};
  for (const [field, [of, description]] of Object.entries(fields))
    addField(type, field, () => of, description);
  addField(type, 'and', () => [type], ALL_OF);
  addField(type, 'or', () => [type], ANY_OF);
  addField(type, 'not', () => type, NONE_OF);
  const description = `Conditions for ${plural}. All given conditions must match.`;
  InputType(name, { description })(type);
  return type;
}

interface ListArgs<F extends string> extends ConnectionArgs {
  readonly filter?: object;
  readonly orderBy?: OrderBy<F>;
}

/**
 * Creates the arguments of a paged list.
 * @param plural of the record: `users`
 * @param order result of `orderInput`
 * @param defaultOrder for the description: `by name`
 */
export function listArgs<F extends string>(
  plural: string,
  filter: Class<object>,
  order: Class<OrderBy<F>>,
  defaultOrder: string,
): new () => ListArgs<F> {
  const type = class extends ConnectionArgs {};
  addField(type, 'filter', () => filter, `Default: all ${plural}.`);
  addField(type, 'orderBy', () => order, `Default: ${defaultOrder}.`);
  ArgsType()(type);
  return type;
}

/**
 * Creates the payload of mutations that change one record.
 * @param field name of the record in the payload, as passed to `payload`
 */
export function payloadType(
  name: `${string}Payload`,
  field: string,
  node: Class<object>,
  description: string,
  fieldDescription = 'A deleted record is returned as it was. Null if nothing was changed.',
): Class<MutationPayload> {
  const type = class extends MutationPayload {};
  addField(type, field, () => node, fieldDescription);
  ObjectType(name, { description })(type);
  return type;
}

/** Creates the payload of mutations that delete a list of records; see `listPayload`. */
export function deletedListType(
  name: `${string}Payload`,
  field: string,
  node: Class<object>,
): Class<ListPayload> {
  const type = class extends ListPayload {};
  addField(type, field, () => [node], 'The records as they were. Null if nothing was changed.');
  ObjectType(name, { description: `${capitalize(field)} that were deleted.` })(type);
  return type;
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
