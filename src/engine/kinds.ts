/** Supported HTTP methods. */
export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

export const OPERATOR_TYPES = ['if', 'loop'] as const;
export type OperatorType = (typeof OPERATOR_TYPES)[number];

/** Parses the type of an operator; returns null if unknown. */
export function operatorTypeOf(text: string | null | undefined): OperatorType | null {
  const type = text?.trim().toLowerCase();
  return OPERATOR_TYPES.find((known) => known === type) ?? null;
}
