/** How the path of a response begins. */
const RESPONSE_PART = /^(?:body|success|fail|header|status)(?![A-Za-z0-9_])/;

/** A field of an answer, as conditions and field bindings name it. Without a part it is the body of an answer that succeeded; nothing at all is the whole of it. */
export function inResponse(field: string): string {
  if (RESPONSE_PART.test(field)) return field;
  return field === '' ? 'success' : field.startsWith('[') ? `success${field}` : `success.${field}`;
}
