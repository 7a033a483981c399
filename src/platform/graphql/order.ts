import { Field, InputType, registerEnumType } from 'type-graphql';
import type { Order } from '../store/keyset-cursor';

export const OrderDirection = { ASC: 'ASC', DESC: 'DESC' } as const;
export type OrderDirection = (typeof OrderDirection)[keyof typeof OrderDirection];
registerEnumType(OrderDirection, {
  name: 'OrderDirection',
  description: 'Which end of a list comes first.',
  valuesConfig: {
    ASC: { description: 'The least first.' },
    DESC: { description: 'The greatest first.' },
  },
});

export interface OrderBy<F extends string> {
  readonly field: F;
  readonly direction: OrderDirection;
}

/**
 * Creates the order input of a registered enum of fields: `orderInput(WorkflowOrderField,
 * 'WorkflowOrder')`. Called once per list.
 */
export function orderInput<E extends Readonly<Record<string, string>>>(
  fields: E,
  name: `${string}Order`,
): new () => OrderBy<E[keyof E]> {
  @InputType(name, { description: 'What the list is ordered by; equal entries by their id.' })
  class OfFields implements OrderBy<E[keyof E]> {
    @Field(() => fields, { description: 'What is compared.' })
    readonly field!: E[keyof E];

    @Field(() => OrderDirection, {
      defaultValue: OrderDirection.ASC,
      description: 'Which end comes first.',
    })
    readonly direction!: OrderDirection;
  }
  return OfFields;
}

/**
 * Returns the order for `pageOf`, by the fields of the documents; `fallback` if none was requested.
 */
export function toOrder<F extends string>(
  orderBy: OrderBy<F> | null | undefined,
  paths: Readonly<Record<F, string>>,
  fallback: Order,
): readonly Order[] {
  if (!orderBy) return [{ ...fallback, isDefault: true }];
  return [
    { field: paths[orderBy.field], direction: orderBy.direction === 'DESC' ? 'desc' : 'asc' },
  ];
}
