/** Part at the start of a response path. */
const RESPONSE_PART = /^(?:body|success|fail|header|status)(?![A-Za-z0-9_])/;

/** Adds the default part to a response path of conditions and field bindings: `success`. */
export function inResponse(field: string): string {
  if (RESPONSE_PART.test(field)) return field;
  return field === '' ? 'success' : field.startsWith('[') ? `success${field}` : `success.${field}`;
}
