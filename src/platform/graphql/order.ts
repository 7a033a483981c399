import { Field, InputType, registerEnumType } from 'type-graphql';
import type { Order } from '../store/keyset-cursor';

/** Which way a list runs; the values are those of the store's `Order`. */
export const OrderDirection = { ASC: 'asc', DESC: 'desc' } as const;
export type OrderDirection = (typeof OrderDirection)[keyof typeof OrderDirection];
registerEnumType(OrderDirection, {
  name: 'OrderDirection',
  description: 'Which way a list runs.',
  valuesConfig: { ASC: { description: 'The least first; null before every value.' }, DESC: { description: 'The greatest first; null last.' } },
});

/** What an order input holds: one of the fields a list can be ordered by, and the direction. */
export interface OrderBy<F extends string> {
  readonly field: F;
  readonly direction: OrderDirection;
}

/** The order input of a registered enum of fields: `orderInput(WorkflowOrderField, 'WorkflowOrder')`. Made once per list. */
export function orderInput<E extends Readonly<Record<string, string>>>(fields: E, name: `${string}Order`): new () => OrderBy<E[keyof E]> {
  @InputType(name, { description: 'What the list is ordered by; equal entries by their id.' })
  class OfFields implements OrderBy<E[keyof E]> {
    @Field(() => fields, { description: 'What is compared.' })
    readonly field!: E[keyof E];

    @Field(() => OrderDirection, { defaultValue: OrderDirection.ASC, description: 'Which end comes first.' })
    readonly direction!: OrderDirection;
  }
  return OfFields;
}

/** The order for `pageOf`, by the fields of the documents; the list's own order where none was asked for. */
export function toOrder<F extends string>(orderBy: OrderBy<F> | null | undefined, paths: Readonly<Record<F, string>>, fallback: Order): readonly Order[] {
  return orderBy ? [{ field: paths[orderBy.field], direction: orderBy.direction }] : [fallback];
}
