import { useMemo } from 'preact/hooks';

/** Longer texts are not formatted, because that would block the page. */
const LONGEST_LAID_OUT = 200_000;

function laidOut(text: string): string {
  if (text.length > LONGEST_LAID_OUT || !/^\s*[[{]/.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    // Shows the original if formatting would change it: rounded numbers, duplicate names.
    return JSON.stringify(value) === text.trim() ? JSON.stringify(value, null, 2) : text;
  } catch {
    return text;
  }
}

/** A text of any content in a scroll area. JSON is formatted. */
export function Text({ text, label }: { text: string; label: string }) {
  const shown = useMemo(() => laidOut(text), [text]);
  return (
    <pre class="text" tabIndex={0} role="region" aria-label={label}>
      {shown}
    </pre>
  );
}
