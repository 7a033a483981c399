const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/**
 * Closes JSON text that was cut, after its last complete field or entry. Returns null if none is
 * complete.
 */
export function closedJson(text: string): string | null {
  const open: string[] = [];
  let end = 0;
  let closing = '';
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isText) {
      if (character === '\\') at += 1;
      else isText = character !== '"';
    } else if (character === '"') isText = true;
    else if (character in CLOSING) open.push(CLOSING[character]);
    else if (character === ',' || character === open.at(-1)) {
      if (character !== ',') open.pop();
      end = character === ',' ? at : at + 1;
      closing = open.toReversed().join('');
    }
  }
  return end === 0 ? null : text.slice(0, end) + closing;
}
