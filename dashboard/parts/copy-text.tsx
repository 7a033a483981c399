import { useRef, useState } from 'preact/hooks';
import { Button } from './button';
import { Field } from './fields';
import { Icon } from './icon';

/** A text that is shown once, with a button that copies it. */
export function CopyText({ label, text }: { label: string; text: string }) {
  const input = useRef<HTMLInputElement>(null);
  const [result, setResult] = useState('');
  const copy = async (): Promise<void> => {
    input.current?.select();
    try {
      await navigator.clipboard.writeText(text);
      setResult('Copied.');
    } catch {
      // Without HTTPS, browsers have no clipboard.
      setResult('Press Ctrl+C to copy the selected text.');
    }
  };
  return (
    <div class="copy-text">
      <Field label={label}>
        <input ref={input} type="text" value={text} readOnly />
      </Field>
      <Button class="button" onClick={() => void copy()}>
        <Icon name="copy" size={14} />
        <span>Copy</span>
      </Button>
      <span class="quiet" role="status">
        {result}
      </span>
    </div>
  );
}
