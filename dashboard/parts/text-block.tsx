import { useMemo } from 'preact/hooks';

/** Longer texts are not formatted, because that would block the page. */
const MAX_FORMATTED_LENGTH = 200_000;

function formatText(text: string): string {
  if (text.length > MAX_FORMATTED_LENGTH || !/^\s*[[{]/.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    // Shows the original if formatting would change it: rounded numbers, duplicate names.
    return JSON.stringify(value) === text.trim() ? JSON.stringify(value, null, 2) : text;
  } catch {
    return text;
  }
}

/** A text of any content in a scroll area. JSON is formatted. */
export function TextBlock({ text, label }: { text: string; label: string }) {
  const formatted = useMemo(() => formatText(text), [text]);
  return (
    <pre class="text" tabIndex={0} role="region" aria-label={label}>
      {formatted}
    </pre>
  );
}
