import type { Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../../parts/icon';
import { DataPicker } from '../data/data-picker';
import { ValueUnderField } from '../data/value-under-field';
import { createCodeEditor, insertText, setText } from './code-editor';
import { ReferenceMenu } from './reference-menu';
import { formatReference } from './references';
import type { Reference } from './references';
import { useStepContext } from './step-context';

interface TextFieldProps {
  readonly label: string;
  /** Hides the label, which screen readers still read. */
  readonly isLabelHidden?: boolean;
  readonly value: string;
  readonly placeholder?: string;
  readonly isMultiline?: boolean;
  /** Where the field stands in its step, for problems: `request.endpoint`. */
  readonly path?: string;
  /** References are chips, and data can be inserted. */
  readonly takesData?: boolean;
  /** The text is an expression, so its value is computed as one. */
  readonly isExpression?: boolean;
  readonly isValueHidden?: boolean;
  readonly extensions?: Extension;
  readonly help?: ComponentChildren;
  readonly onChange: (value: string) => void;
}

/** A text of a step, with references as chips, its problems, and its value with the samples. */
export function StepTextField({
  label,
  isLabelHidden = false,
  value,
  placeholder,
  isMultiline = false,
  path,
  takesData = true,
  isExpression = false,
  isValueHidden = false,
  extensions,
  help,
  onChange,
}: TextFieldProps) {
  const { session, node } = useStepContext();
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  /** Texts that the user typed, until the page shows them. */
  const reported = useRef<string[]>([]);
  const change = useRef(onChange);
  change.current = onChange;
  const [isPicking, setIsPicking] = useState(false);
  const [opened, setOpened] = useState<Reference | null>(null);
  const isReadOnly = session.isReadOnly.value;

  useEffect(() => {
    if (host.current === null) return undefined;
    const editor = createCodeEditor(host.current, {
      label,
      value,
      isMultiline,
      isReadOnly,
      ...(placeholder === undefined ? {} : { placeholder }),
      ...(extensions === undefined ? {} : { extensions }),
      chipOf: takesData
        ? (reference) => ({
            text: formatReference(reference, session.titles.value),
            color: reference.color,
          })
        : null,
      onChange: (text) => {
        reported.current.push(text);
        change.current(text);
      },
      onLeave: () => session.flush(),
      onPick: takesData ? () => setIsPicking(true) : null,
      onChip: setOpened,
    });
    view.current = editor;
    return () => editor.destroy();
  }, [isReadOnly, label]);

  useEffect(() => {
    // A render may be behind the keyboard: what the user typed comes back later.
    const at = reported.current.lastIndexOf(value);
    reported.current = reported.current.slice(at + 1);
    if (at < 0 && view.current !== null) setText(view.current, value);
  }, [value]);

  const close = (): void => {
    setIsPicking(false);
    setOpened(null);
    view.current?.focus();
  };
  const problems = session.saved.value.validation.filter(
    (problem) => path !== undefined && problem.stepId === node.step.id && problem.field === path,
  );
  const insert =
    takesData && !isReadOnly ? (
      <button
        type="button"
        class="bare insert-data"
        aria-label={`Insert data into ${label}`}
        title="Insert data (Ctrl+Space)"
        aria-expanded={isPicking}
        onClick={() => setIsPicking(!isPicking)}
      >
        <Icon name="plus" size={12} />
        <span>Data</span>
      </button>
    ) : null;
  return (
    <div class="step-field" data-field={path}>
      {isLabelHidden ? null : <span class="step-field-label">{label}</span>}
      <div class="step-field-row">
        <div class="code-host" ref={host} />
        {insert}
      </div>
      {isPicking ? (
        <DataPicker
          onClose={close}
          onPick={(reference) => {
            setIsPicking(false);
            if (view.current !== null) insertText(view.current, reference);
          }}
        />
      ) : null}
      {opened === null ? null : (
        <ReferenceMenu
          reference={opened}
          onClose={close}
          onChange={(text) => {
            const { from, to } = opened;
            view.current?.dispatch({ changes: { from, to, insert: text }, userEvent: 'input' });
            close();
          }}
        />
      )}
      {help === undefined ? null : <p class="step-field-help quiet">{help}</p>}
      {problems.map(({ code, message }) => (
        <p key={code} class="bad step-field-problem">
          {message}
        </p>
      ))}
      {isValueHidden ? null : <ValueUnderField text={value} isExpression={isExpression} />}
    </div>
  );
}
