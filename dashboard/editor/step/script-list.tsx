import { javascript } from '@codemirror/lang-javascript';
import { autocompletion } from '@codemirror/autocomplete';
import type { CompletionSource } from '@codemirror/autocomplete';
import { useMemo, useState } from 'preact/hooks';
import { Button } from '../../parts/button';
import { Icon } from '../../parts/icon';
import { createUnsavedId, EMPTY_ENHANCEMENT } from '../document';
import type { Binding, MethodStep } from '../document';
import { findReferences, referenceText } from '../fields/references';
import { StepTextField } from '../fields/text-field';
import { useStepContext } from '../fields/step-context';
import { ScriptResult } from './script-result';

type End = Binding['from'][number];

/** Completes the inputs of a script and its result. */
const completeInputs =
  (names: readonly string[]): CompletionSource =>
  (context) => {
    const word = context.matchBefore(/\w+/);
    if (word === null && !context.explicit) return null;
    return {
      from: word?.from ?? context.pos,
      options: [...names, 'RESULT_VAR'].map((label) => ({ label, type: 'variable' })),
    };
  };

const inputName = (at: number): string => `VAR_${at}`;

/** Returns the variables of a script, one for each input, as the service declares them. */
const variablesOf = (from: readonly End[], to: End | undefined): string =>
  [
    ...(to === undefined ? [] : [`//var RESULT_VAR = ${to.color}.(${to.type}).${to.field};`]),
    ...from.map((end, at) => `//var ${inputName(at)} = ${end.color}.(${end.type}).${end.field};`),
  ].join('\n');

const textOfEnd = ({ color, type, field }: End): string =>
  color === null ? '' : referenceText(color, field ?? '', type ?? 'response');

/** Names of the fields that a script can write. */
function targetsOf(step: MethodStep): readonly End[] {
  const { color, request } = step;
  const fields = request?.body?.fields;
  const names = typeof fields === 'object' && fields !== null ? Object.keys(fields) : [];
  const headers =
    typeof request?.header === 'object' && request.header !== null
      ? Object.keys(request.header)
      : [];
  return [
    ...names.map((field) => ({ color, type: 'request', field })),
    ...headers.map((field) => ({ color, type: 'header', field })),
  ];
}

const formatEnd = ({ type, field }: End): string =>
  type === 'header' ? `Header ${field}` : type === 'path' ? 'URL' : (field ?? '');

function ScriptCard({ step, binding }: { step: MethodStep; binding: Binding }) {
  const { session } = useStepContext();
  const { bindingId, from, to, enhancement } = binding;
  const extensions = useMemo(
    () => [
      javascript(),
      autocompletion({ override: [completeInputs(from.map((_end, at) => inputName(at)))] }),
    ],
    [from.length],
  );
  /** The binding with edits that this render does not have yet. */
  const present = (): Binding =>
    session.document.value.bindings.find(
      (other) => session.keyOf(other.bindingId ?? '') === session.keyOf(bindingId ?? ''),
    ) ?? binding;
  const change = (changes: Partial<Binding>): void =>
    session.change({ kind: 'bind', binding: { bindingId, ...changes } }, { isTyping: true });
  const changeFrom = (ends: readonly End[]): void =>
    change({
      from: [...ends],
      enhancement: { ...enhancementOf(present()), expertVar: variablesOf(ends, to[0]) },
    });
  return (
    <section class="script" aria-label={`Script for ${to.map(formatEnd).join(', ')}`}>
      <div class="card-head">
        <h3>
          Computes <bdi>{to.map(formatEnd).join(', ')}</bdi>
        </h3>
        {session.isReadOnly.value || bindingId === null ? null : (
          <Button
            class="button quiet-button"
            onClick={() => session.change({ kind: 'unbind', bindingId })}
          >
            Remove script
          </Button>
        )}
      </div>
      {from.map((end, at) => (
        <div key={at} class="script-input">
          <StepTextField
            label={inputName(at)}
            value={textOfEnd(end)}
            onChange={(text) => {
              const [reference] = findReferences(text);
              if (reference?.kind !== 'step') return;
              const { color, part, path } = reference;
              changeFrom(from.with(at, { color, type: part, field: path }));
            }}
          />
          <button
            type="button"
            class="bare"
            aria-label={`Remove ${inputName(at)}`}
            onClick={() => changeFrom(from.toSpliced(at, 1))}
          >
            <Icon name="cross" size={12} />
          </button>
        </div>
      ))}
      <StepTextField
        label={`Add an input`}
        placeholder="Choose data of an earlier step"
        isValueHidden
        value=""
        onChange={(text) => {
          const [reference] = findReferences(text);
          if (reference?.kind === 'step')
            changeFrom([
              ...from,
              { color: reference.color, type: reference.part, field: reference.path },
            ]);
        }}
      />
      <StepTextField
        label="Script"
        isMultiline
        takesData={false}
        isValueHidden
        placeholder="RESULT_VAR = VAR_0;"
        value={enhancement?.expertCode ?? ''}
        extensions={extensions}
        onChange={(expertCode) =>
          change({
            enhancement: {
              ...enhancementOf(present()),
              expertVar: present().enhancement?.expertVar ?? variablesOf(from, to[0]),
              expertCode,
            },
          })
        }
      />
      <ScriptResult stepId={step.id} binding={binding} />
    </section>
  );
}

const enhancementOf = ({ enhancement }: Binding): NonNullable<Binding['enhancement']> => ({
  ...EMPTY_ENHANCEMENT,
  ...enhancement,
  language: enhancement?.language ?? 'js',
});

/** The scripts that compute fields of a step. */
export function ScriptList({ step }: { step: MethodStep }) {
  const { session } = useStepContext();
  const [target, setTarget] = useState('');
  const color = step.color?.toUpperCase();
  const bindings = session.document.value.bindings.filter(({ to }) =>
    to.some((end) => end.color?.toUpperCase() === color),
  );
  const targets = targetsOf(step);
  const chosen = targets.find((end) => formatEnd(end) === target) ?? targets[0];
  return (
    <>
      {bindings.map((binding) => (
        <ScriptCard key={session.keyOf(binding.bindingId ?? '')} step={step} binding={binding} />
      ))}
      {chosen === undefined ? (
        <p class="quiet">
          A script computes a field of the body or a header. Add one in the tab Request first.
        </p>
      ) : session.isReadOnly.value ? null : (
        <div class="picker-actions">
          <label class="field">
            Field
            <select
              value={formatEnd(chosen)}
              onChange={({ currentTarget }) => setTarget(currentTarget.value)}
            >
              {targets.map((end) => (
                <option key={formatEnd(end)} value={formatEnd(end)}>
                  {formatEnd(end)}
                </option>
              ))}
            </select>
          </label>
          <Button
            class="button"
            onClick={() =>
              session.change({
                kind: 'bind',
                binding: {
                  bindingId: createUnsavedId(),
                  from: [],
                  to: [chosen],
                  enhancement: {
                    language: 'js',
                    expertVar: variablesOf([], chosen),
                    expertCode: '',
                  },
                },
              })
            }
          >
            <Icon name="plus" size={12} />
            <span>Add script</span>
          </Button>
        </div>
      )}
    </>
  );
}
