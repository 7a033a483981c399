import { useState } from 'preact/hooks';
import { Popup } from '../popup';
import { formatReference, referenceText } from './references';
import type { Reference } from './references';
import { loopsAround, useStepContext } from './step-context';

/** Changes or removes one reference of a text. */
export function ReferenceMenu({
  reference,
  onChange,
  onClose,
}: {
  reference: Reference;
  onChange: (text: string) => void;
  onClose: () => void;
}) {
  const { session, node } = useStepContext();
  const [path, setPath] = useState(reference.path);
  const loops = loopsAround(node, session);
  const apply = (changed: string): void => {
    if (reference.color !== null) onChange(referenceText(reference.color, changed, reference.part));
  };
  /** Sets the last position of the path. */
  const withPosition = (position: string): string =>
    path.includes('[')
      ? path.replace(/\[[^\]]*\](?=[^[]*$)/, `[${position}]`)
      : `${path}[${position}]`;
  return (
    <Popup label="Reference" onClose={onClose}>
      <b>
        <bdi>{formatReference(reference, session.titles.value)}</bdi>
      </b>
      {reference.kind === 'step' ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            apply(path);
          }}
        >
          <label class="field">
            Field
            <input
              type="text"
              value={path}
              onInput={({ currentTarget }) => setPath(currentTarget.value)}
            />
          </label>
          <div class="picker-actions">
            {loops.map(({ iterator }) => (
              <button
                key={iterator}
                type="button"
                class="button quiet-button"
                onClick={() => apply(withPosition(iterator))}
              >
                This element ({iterator})
              </button>
            ))}
            <button
              type="button"
              class="button quiet-button"
              onClick={() => apply(withPosition('0'))}
            >
              First element
            </button>
            <button
              type="button"
              class="button quiet-button"
              onClick={() => apply(withPosition('*'))}
            >
              All elements
            </button>
            <button type="submit" class="button primary">
              Change
            </button>
          </div>
        </form>
      ) : null}
      <div class="picker-actions">
        <button type="button" class="button quiet-button" onClick={() => onChange('')}>
          Remove
        </button>
        <button type="button" class="button quiet-button" onClick={onClose}>
          Close
        </button>
      </div>
    </Popup>
  );
}
