/**
 * The marks behind which no value stands but a name: `{%…%}` (an answer), `${…}` (a parameter), `{token}` (a field of a connector), and the
 * bare `#RRGGBB.(response)…`. Sticky: each matches where it is put, in linear time.
 */
const REFERENCES = [/\{%[^{}]*%\}/y, /\$\{[^{}]*\}/y, /\{[\p{L}_][\p{L}\p{N}_.-]*\}/uy, /#[0-9A-Fa-f]{6}\.\((?:request|response)\)[^\s;,&"'<>{}]*/y];

/** Where the reference that begins at `from` ends; -1 when none begins there. */
export function endOfReference(text: string, from: number): number {
  const first = text[from];
  if (first !== '{' && first !== '$' && first !== '#') return -1;
  for (const reference of REFERENCES) {
    reference.lastIndex = from;
    if (reference.test(text)) return reference.lastIndex;
  }
  return -1;
}

/** Is the text nothing but references, side by side or listed? Then it says where a value comes from, and not the value. */
export function isOnlyReferences(text: string): boolean {
  let at = 0;
  let found = false;
  while (at < text.length) {
    const end = endOfReference(text, at);
    if (end < 0 && !/[\s;]/.test(text[at] ?? '')) return false;
    found ||= end >= 0;
    at = end < 0 ? at + 1 : end;
  }
  return found;
}
