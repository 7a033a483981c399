import { useRef, useState } from 'preact/hooks';
import { Button } from './button';
import { Field } from './fields';
import { Icon } from './icon';

/**
 * Copies a text to the clipboard, and says whether it did.
 * @param fallback what to do where it cannot be copied
 */
export function useCopy(text: string, fallback: string): { copy: () => void; result: string } {
  const [result, setResult] = useState('');
  // Without HTTPS, browsers have no clipboard.
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setResult('Copied.');
    } catch {
      setResult(fallback);
    }
  };
  return { copy: () => void copy(), result };
}

/** A text that is shown once, with a button that copies it. */
export function CopyText({ label, text }: { label: string; text: string }) {
  const input = useRef<HTMLInputElement>(null);
  const { copy, result } = useCopy(text, 'Press Ctrl+C to copy the selected text.');
  const selectAndCopy = (): void => {
    input.current?.select();
    copy();
  };
  return (
    <div class="copy-text">
      <Field label={label}>
        <input ref={input} type="text" value={text} readOnly />
      </Field>
      <Button class="button" onClick={selectAndCopy}>
        <Icon name="copy" size={14} />
        <span>Copy</span>
      </Button>
      <span class="quiet" role="status">
        {result}
      </span>
    </div>
  );
}
