const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
/** Lists inside each other; what goes deeper is a text. */
const DEEPEST = 50;

/**
 * A value of a query that is written as a list, `[a,b,[1,2]]`, as the JSON it means; null where it is none. Elements that look like numbers are
 * numbers, each as it was written; the others are texts. A list in JSON is taken as it is.
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

/** Looks at each character once. */
function looseList(value: string): string | null {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  /** Between a closed list and what comes next there is no element. */
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
