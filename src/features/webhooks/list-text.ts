const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
/** Maximum nesting of lists; a value with deeper nesting is text. */
const DEEPEST = 50;

/**
 * Converts a query value written as a list, `[a,b,[1,2]]`, to JSON. Returns null if it is not a
 * list.
 * Numbers keep their digits, other elements become strings; valid JSON is returned unchanged.
 */
export function listText(value: string): string | null {
  if (!value.startsWith('[') || !value.endsWith(']')) return null;
  return isJson(value) ? value : looseList(value);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const elementText = (text: string): string =>
  NUMBER.test(text.trim()) ? text.trim() : JSON.stringify(text);

function looseList(value: string): string | null {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  /** True after `]`: no element may follow before the next comma. */
  let isClosed = false;
  const element = (to: number): boolean => {
    const text = value.slice(from, to);
    if (isClosed) return text.trim() === '';
    parts.push(elementText(text));
    return true;
  };
  for (let at = 0; at < value.length; at += 1) {
    const letter = value[at];
    if (letter === '[') {
      if (
        isClosed ||
        (depth === 0 && at > 0) ||
        value.slice(from, at).trim() !== '' ||
        depth === DEEPEST
      )
        return null;
      parts.push('[');
      depth += 1;
      from = at + 1;
    } else if (letter === ',' || letter === ']') {
      const isEmpty = letter === ']' && parts.at(-1) === '[' && value.slice(from, at).trim() === '';
      if (depth === 0 || (!isEmpty && !element(at))) return null;
      parts.push(letter);
      if (letter === ']') depth -= 1;
      isClosed = letter === ']';
      from = at + 1;
    }
  }
  return depth === 0 ? parts.join('') : null;
}
