/** Where a field binding may write. */
export interface BindingPlace {
  /** `request` is a field of the body, `path` a part of the URL, `header` a header. */
  readonly type: string;
  readonly field: string;
  /** The field is the name of a header and nothing else. */
  readonly isName?: boolean;
}

/** How the 5.x editor begins a field: with the part of the request that it belongs to. */
const PART = /^(body|header)(?![^.[])(?:\.?\$(?=[.[]|$))?\.?(.*)$/s;
const QUOTED = /^\['(.*)'\]$/s;

/**
 * The places that the field of a binding may mean, by precedence: as it is written (the 4.x line, and bodies with a field `body`), then without the
 * part that the 5.x editor puts in front of it (docs/adr/0091-files-of-released-installations.md).
 */
export function bindingPlaces({ type, field }: BindingPlace): BindingPlace[] {
  const [, part, rest = ''] = PART.exec(field.trim()) ?? [];
  const written: BindingPlace = { type, field };
  if (part === 'body' && type === 'request') return [written, { type, field: rest }];
  if (part !== 'header' || rest === '' || (type !== 'request' && type !== 'header'))
    return [written];
  const named: BindingPlace = {
    type: 'header',
    field: QUOTED.exec(rest)?.[1] ?? rest,
    isName: true,
  };
  // By its text a header is found wherever the references stand, so a name comes first.
  return type === 'header' ? [named, written] : [written, named];
}
