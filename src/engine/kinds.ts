/** The verbs a request can have. */
export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

/** What an operator can be. */
export const OPERATOR_TYPES = ['if', 'loop'] as const;
export type OperatorType = (typeof OPERATOR_TYPES)[number];

/** What an operator is, as it is written; null for what is none. */
export function operatorTypeOf(text: string | null | undefined): OperatorType | null {
  const type = text?.trim().toLowerCase();
  return OPERATOR_TYPES.find((known) => known === type) ?? null;
}
