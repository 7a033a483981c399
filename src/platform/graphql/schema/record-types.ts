import { ArgsType, Field, ID, InputType, ObjectType } from 'type-graphql';
import { toQuery } from '../../store/lists/filter';
import type { FilteredFields } from '../../store/lists/filter';
import type { PageQuery } from '../../store/lists/keyset';
import type { Order } from '../../store/lists/keyset-cursor';
import { ConnectionArgs, orderInput, toOrder } from './connection';
import { enumOf } from './enums';
import { ALL_OF, ANY_OF, NONE_OF } from './filters';
import { addField } from './input-type';
import type { Class } from './input-type';
import { ListPayload, MutationPayload, VersionedInput, WHICH_IDS } from './payload';
import type { OrderBy } from './connection';

/*
 * Creates the types that every feature with lists and mutations has. Each function is called once
 * for each type.
 */

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

/**
 * Creates the order of a list and the enum of its fields: `UserOrder` with `UserOrderField`.
 * @param fields descriptions of the fields: `{ ID: 'Id.' }`
 */
export function orderType<F extends string>(
  name: `${string}Order`,
  fields: Readonly<Record<F, string>>,
): new () => OrderBy<F> {
  return orderInput(enumOf(fields, `${name}Field`, 'What the list is ordered by.'), name);
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
 * Converts the arguments of a paged list to a query of the store.
 * @param paths fields of the documents by the fields of the order
 * @param fallback order if none was requested
 */
export const toPageQuery = <F extends string>(
  { filter, orderBy, ...page }: ListArgs<F>,
  fields: FilteredFields,
  paths: Readonly<Record<F, string>>,
  fallback: Order,
): PageQuery => ({
  ...page,
  filter: toQuery(filter, fields),
  orderBy: toOrder(orderBy, paths, fallback),
});

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

/** Creates the payload of mutations that change a list of records; see `listPayload`. */
export function listPayloadType(
  name: `${string}Payload`,
  field: string,
  node: Class<object>,
  description: string,
  fieldDescription = 'The records as they were. Null if nothing was changed.',
): Class<ListPayload> {
  const type = class extends ListPayload {};
  addField(type, field, () => [node], fieldDescription);
  ObjectType(name, { description })(type);
  return type;
}

/** Creates the payload of mutations that delete a list of records; see `listPayload`. */
export const deletedListType = (
  name: `${string}Payload`,
  field: string,
  node: Class<object>,
): Class<ListPayload> =>
  listPayloadType(name, field, node, `${capitalize(field)} that were deleted.`);

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Base of the input of mutations of one record. */
@InputType({ description: 'A record.' })
export abstract class IdInput {
  @Field(() => ID, { description: 'Global id or integer.' })
  readonly id!: string;
}

/** Base of the input of mutations of one record with a version. */
@InputType({ description: 'A record with a version.' })
export abstract class VersionedIdInput extends VersionedInput {
  @Field(() => ID, { description: 'Global id or integer.' })
  readonly id!: string;
}

/** Base of the input of mutations of a list of records. */
@InputType({ description: 'Records.' })
export abstract class IdsInput {
  @Field(() => [ID], { description: WHICH_IDS })
  readonly ids!: string[];
}
