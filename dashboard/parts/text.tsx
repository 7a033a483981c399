import { useMemo } from 'preact/hooks';

/** Longer texts are shown as they came: laying them out would hold up the page. */
const LONGEST_LAID_OUT = 200_000;

function laidOut(text: string): string {
  if (text.length > LONGEST_LAID_OUT || !/^\s*[[{]/.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    // Numbers that JavaScript rounds, names that stand twice: what would not come out as it is stays as it came.
    return JSON.stringify(value) === text.trim() ? JSON.stringify(value, null, 2) : text;
  } catch {
    return text;
  }
}

/** A text of somebody else: JSON laid out, all else as it is. Scrolls in itself. */
export function Text({ text, label }: { text: string; label: string }) {
  const shown = useMemo(() => laidOut(text), [text]);
  return (
    <pre class="text" tabIndex={0} role="region" aria-label={label}>
      {shown}
    </pre>
  );
}
