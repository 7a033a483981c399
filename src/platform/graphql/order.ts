import { registerEnumType } from 'type-graphql';

/** Which way a list runs. */
export const OrderDirection = { ASC: 'asc', DESC: 'desc' } as const;
export type OrderDirection = (typeof OrderDirection)[keyof typeof OrderDirection];

registerEnumType(OrderDirection, {
  name: 'OrderDirection',
  description: 'Which way a list runs.',
  valuesConfig: { ASC: { description: 'The least first; null before every value.' }, DESC: { description: 'The greatest first; null last.' } },
});
