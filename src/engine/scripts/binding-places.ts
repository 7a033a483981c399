/** Possible target of a field binding. */
export interface BindingPlace {
  /** `request` is a field of the body, `path` a part of the URL, `header` a header. */
  readonly type: string;
  readonly field: string;
  /** The field is a header name only. */
  readonly isName?: boolean;
}

/** Prefix of the 5.x editor: the part of the request. */
const PART = /^(body|header)(?![^.[])(?:\.?\$(?=[.[]|$))?\.?(.*)$/s;
const QUOTED = /^\['(.*)'\]$/s;

/**
 * Returns the possible targets of a binding by precedence: the field as written (4.x, and bodies
 * with a field `body`), then without the prefix of the 5.x editor
 * (docs/adr/0091-files-of-released-installations.md).
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
  // A header without a known name matches wherever the references are, so try the name first.
  return type === 'header' ? [named, written] : [written, named];
}
