import { mapJson } from '../../platform/json/map-json';
import { isJsonObject } from '../workflows/workflow-document.service';
import type { JsonObject } from '../workflows/workflow-document.service';

/** `#{%ID%}` in a body, `{%ID%}` in a URL or header: the result of the field binding with this id. */
const MARKER = /(#?)\{%\s*([0-9a-f]{24})\s*%\}/gi;

/**
 * Returns a request or response with markers replaced by the references that clients show and
 * save: `#RRGGBB.(response).success.id;…`, in URLs and headers within `{%…%}`.
 * @param bindings by id, in lower case
 * @param onUnknown called with the id of a marker that stays as it is
 */
export function withReferences(
  value: unknown,
  bindings: ReadonlyMap<string, JsonObject>,
  onUnknown: (id: string) => void,
): unknown {
  const text = (written: string): string =>
    written.replace(MARKER, (marker: string, mark: string, id: string) => {
      const sources = sourcesOf(bindings.get(id.toLowerCase()));
      if (sources !== '') return mark === '#' ? sources : `{%${sources}%}`;
      onUnknown(id);
      return marker;
    });
  return mapJson(value, { text });
}

/** Empty if there is no binding, or one without a source. */
function sourcesOf(binding: JsonObject | undefined): string {
  const from: unknown = binding?.from;
  if (!Array.isArray(from)) return '';
  return from
    .filter(isJsonObject)
    .flatMap(({ color, type, field }) =>
      typeof color === 'string' && color !== '' ? [referenceOf(color, type, field)] : [],
    )
    .join(';');
}

function referenceOf(color: string, type: unknown, field: unknown): string {
  const path = typeof field === 'string' ? field : '';
  const dot = path === '' || path.startsWith('[') ? '' : '.';
  return `${color}.(${typeof type === 'string' ? type : 'response'})${dot}${path}`;
}
