import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { Annotation, EditorState, RangeSetBuilder } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import {
  Decoration,
  EditorView,
  keymap,
  placeholder as placeholderText,
  ViewPlugin,
  WidgetType,
} from '@codemirror/view';
import type { DecorationSet, ViewUpdate } from '@codemirror/view';
import { findReferences } from './references';
import type { Reference } from './references';

/** What a chip shows of a reference. */
export interface ChipText {
  readonly text: string;
  readonly color: string | null;
}

export interface CodeEditorOptions {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly isMultiline: boolean;
  readonly isReadOnly: boolean;
  readonly describedBy?: string;
  /** Null: references stay text. */
  readonly chipOf: ((reference: Reference) => ChipText) | null;
  readonly extensions?: Extension;
  readonly onChange: (value: string) => void;
  readonly onLeave: () => void;
  /** The caret is behind a `{` that the user typed, or they asked for data. */
  readonly onPick: (() => void) | null;
  readonly onChip: (reference: Reference) => void;
}

class Chip extends WidgetType {
  constructor(
    private readonly reference: Reference,
    private readonly chip: ChipText,
    private readonly open: (reference: Reference) => void,
  ) {
    super();
  }

  override eq({ reference, chip }: Chip): boolean {
    return (
      chip.text === this.chip.text &&
      chip.color === this.chip.color &&
      reference.from === this.reference.from
    );
  }

  override toDOM(): HTMLElement {
    const chip = document.createElement('span');
    chip.className = 'chip';
    chip.textContent = this.chip.text;
    chip.title = this.chip.text;
    if (this.chip.color !== null) chip.style.borderInlineStartColor = this.chip.color;
    chip.addEventListener('mousedown', (event) => {
      event.preventDefault();
      this.open(this.reference);
    });
    return chip;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

function chipPlugin(
  chipOf: (reference: Reference) => ChipText,
  open: (reference: Reference) => void,
): Extension {
  const build = (view: EditorView): DecorationSet => {
    const builder = new RangeSetBuilder<Decoration>();
    for (const reference of findReferences(view.state.doc.toString()))
      builder.add(
        reference.from,
        reference.to,
        Decoration.replace({ widget: new Chip(reference, chipOf(reference), open) }),
      );
    return builder.finish();
  };
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = build(view);
      }
      update(update: ViewUpdate): void {
        if (update.docChanged || update.transactions.length > 0)
          this.decorations = build(update.view);
      }
    },
    {
      decorations: (plugin) => plugin.decorations,
      provide: (plugin) =>
        EditorView.atomicRanges.of((view) => view.plugin(plugin)?.decorations ?? Decoration.none),
    },
  );
}

/** Colours are variables of the page, which reach into the shadow root. */
const THEME = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--surface)', fontSize: '13px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'inherit', lineHeight: '1.5', maxHeight: '320px' },
  '.cm-content': { padding: '5px 0', caretColor: 'var(--text)', minWidth: '0' },
  '.cm-line': { padding: '0 8px', overflowWrap: 'anywhere' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-placeholder': { color: 'var(--quiet)' },
  '&.is-code .cm-content': {
    fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace",
    fontSize: '12.5px',
  },
  '.chip': {
    display: 'inline-block',
    maxWidth: '100%',
    padding: '0 6px',
    borderRadius: '4px',
    borderInlineStart: '4px solid var(--accent)',
    backgroundColor: 'var(--accent-soft)',
    color: 'var(--text)',
    fontSize: '12.5px',
    cursor: 'pointer',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    verticalAlign: 'bottom',
    whiteSpace: 'nowrap',
  },
  '.cm-tooltip': { border: '1px solid var(--line)', backgroundColor: 'var(--surface)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--accent-text)',
  },
});

/** Marks a change that the page made, such as one by another user. */
const FROM_PAGE = Annotation.define<true>();

const SINGLE_LINE: Extension = EditorState.transactionFilter.of((transaction) =>
  transaction.newDoc.lines > 1 ? [] : transaction,
);

/** Pasted line breaks become spaces in a field with one line. */
const JOIN_PASTED_LINES: Extension = EditorView.clipboardInputFilter.of((text) =>
  text.trim().replace(/\s*\r?\n\s*/g, ' '),
);

const isAfterWhitespace = (text: string, at: number): boolean =>
  at === 0 || /\s/.test(text.charAt(at - 1));

/**
 * Creates an editor in a shadow root, because the content security policy of the page has no place
 * for its style element.
 */
export function createCodeEditor(host: HTMLElement, options: CodeEditorOptions): EditorView {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  root.replaceChildren();
  const { chipOf, isMultiline, isReadOnly, onPick } = options;
  const changed = EditorView.updateListener.of((update) => {
    if (!update.docChanged || update.transactions.some((each) => each.annotation(FROM_PAGE)))
      return;
    const text = update.state.doc.toString();
    options.onChange(text);
    if (onPick === null || !update.transactions.some((each) => each.isUserEvent('input.type')))
      return;
    const { head } = update.state.selection.main;
    const typed = text.slice(head - 1, head);
    if (typed === '{' || (typed === '/' && isAfterWhitespace(text, head - 1))) onPick();
  });
  return new EditorView({
    parent: root,
    doc: options.value,
    extensions: [
      history(),
      keymap.of([
        {
          key: 'Mod-Space',
          run: () => {
            onPick?.();
            return onPick !== null;
          },
        },
        ...(isMultiline ? [] : [{ key: 'Enter', run: () => true }]),
        ...historyKeymap,
        ...defaultKeymap,
        // Tab leaves a field that is not code, as in every form.
        ...(options.extensions === undefined ? [] : [indentWithTab]),
      ]),
      EditorView.lineWrapping,
      isMultiline ? [] : [SINGLE_LINE, JOIN_PASTED_LINES],
      EditorState.readOnly.of(isReadOnly),
      EditorView.editable.of(!isReadOnly),
      options.placeholder === undefined ? [] : placeholderText(options.placeholder),
      chipOf === null ? [] : chipPlugin(chipOf, options.onChip),
      THEME,
      EditorView.editorAttributes.of({ class: isMultiline ? 'is-code' : '' }),
      EditorView.contentAttributes.of({
        'aria-label': options.label,
        spellcheck: 'false',
        ...(isReadOnly ? { tabindex: '0', 'aria-readonly': 'true' } : {}),
      }),
      EditorView.domEventHandlers({ blur: () => options.onLeave() }),
      changed,
      options.extensions ?? [],
    ],
  });
}

/** Replaces the text if it differs, without reporting it as a change of the user. */
export function setText(view: EditorView, text: string): void {
  const before = view.state.doc.toString();
  if (before === text) return;
  view.dispatch({
    changes: { from: 0, to: before.length, insert: text },
    annotations: FROM_PAGE.of(true),
  });
}

/** Inserts a text at the caret, in place of the `{` that opened the choice. */
export function insertText(view: EditorView, text: string): void {
  const { from, to } = view.state.selection.main;
  const before = view.state.sliceDoc(Math.max(0, from - 1), from);
  const start = before === '{' || before === '/' ? from - 1 : from;
  // A slash that belongs to an address stays.
  const begin =
    before === '/' && !isAfterWhitespace(view.state.doc.toString(), from - 1) ? from : start;
  view.dispatch({
    changes: { from: begin, to, insert: text },
    selection: { anchor: begin + text.length },
    userEvent: 'input',
  });
  view.focus();
}
