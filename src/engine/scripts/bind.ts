import { EngineError, ExpressionError } from '../errors';
import type { Binding, BindingTarget } from '../plan/bindings';
import type { ProblemReport } from '../plan/problems';
import { inXmlTree } from '../reference/xml-marks';
import type { XmlTree } from '../reference/xml-marks';
import { bodyFormat } from '../request/body-format';
import type { BodyNode } from '../request/body-tree';
import { requestSources } from '../request/request';
import type { RequestTemplate } from '../request/request';
import { secretsAmong } from '../text/template';
import type { Source, Template } from '../text/template';
import { bindingPlaces, bodyPath, withField } from './binding-places';
import type { BindingPlace } from './binding-places';
import { COPIED } from './step-script';
import type { StepScript } from './step-script';
import { printReference } from '../reference/reference';

/** Keys of the references that a script result replaces. */
const keysOf = (sources: readonly Source[]): ReadonlySet<string> =>
  new Set(
    sources.flatMap((source) =>
      source.kind === 'reference' ? [printReference(source.reference)] : [],
    ),
  );

/**
 * Replaces the given sources and the text between them by the result of a script; returns null if
 * they are not in the template.
 * @param ends matches text that ends the part in which they must be
 */
function withResult(
  template: Template,
  made: ReadonlySet<string>,
  result: Source,
  ends?: RegExp,
): Template | null {
  if (made.size === 0) return null;
  for (let start = 0; start < template.length; start += 1) {
    const missing = new Set(made);
    for (let at = start; at < template.length; at += 1) {
      const piece = template[at];
      if (typeof piece === 'string') {
        if (at === start || ends?.test(piece)) break;
        continue;
      }
      if (piece.kind !== 'reference' || !made.has(printReference(piece.reference))) break;
      missing.delete(printReference(piece.reference));
      if (missing.size === 0)
        return [...template.slice(0, start), result, ...template.slice(at + 1)];
    }
  }
  return null;
}

/** A request with field bindings applied, and the scripts to evaluate before it. */
export interface Bound {
  readonly request: RequestTemplate;
  readonly scripts: readonly StepScript[];
}

/** Delimiters of URL parts. */
const ENDS_OF_A_PART = /[/?&=#]/;
/** Matches any text, so that references must be adjacent. */
const ANY_TEXT = /[^]/;

/**
 * Applies field bindings to a request. A binding without a script fills its field with the first
 * source; in headers and URLs, text around the references is kept.
 */
export function bindRequest(
  request: RequestTemplate,
  bindings: readonly Binding[],
  report: ProblemReport,
): Bound {
  const scripts: StepScript[] = [];
  let bound = request;
  for (const { place, code, language, variables, sources, targets, problem } of bindings) {
    const made = keysOf(sources.length > 0 ? sources : variables.map(({ source }) => source));
    if (problem !== null)
      report.add('REFERENCE_SYNTAX', place, `${place}: ${problem.message}`, problem);
    if (code === null) {
      const first = (variables.find(({ name }) => name === COPIED) ?? variables.at(0))?.source;
      if (first !== undefined)
        bound = targets.reduce((before, target) => copyTo(before, target, made, first), bound);
      continue;
    }
    const result: Source = { kind: 'script', script: scripts.length };
    let misplaced: EngineError | null = null;
    for (const target of targets) {
      const changed = writeTo(bound, target, made, result);
      if (changed instanceof EngineError) misplaced ??= changed;
      else bound = changed;
    }
    scripts.push({ place, language, code, variables, misplaced });
  }
  return {
    request:
      bound === request ? request : { ...bound, secrets: secretsAmong(requestSources(bound)) },
    scripts,
  };
}

/** Writes to the first of the possible places that the request has. */
function writeTo(
  request: RequestTemplate,
  target: BindingTarget,
  made: ReadonlySet<string>,
  result: Source,
): RequestTemplate | EngineError {
  const problems: EngineError[] = [];
  for (const place of bindingPlaces(target)) {
    const written = writeToPlace(request, place, made, result);
    if (!(written instanceof EngineError)) return written;
    problems.push(written);
  }
  return problems[0];
}

function writeToPlace(
  request: RequestTemplate,
  place: BindingPlace,
  made: ReadonlySet<string>,
  result: Source,
): RequestTemplate | EngineError {
  switch (place.type) {
    case 'request':
      return (
        writeToBody(request, place, { kind: 'source', source: result }) ??
        unknownField('The body has no field', place)
      );
    case 'header':
      return (
        writeToHeader(
          request,
          place,
          (value, isNamed) => withResult(value, made, result) ?? (isNamed ? [result] : null),
        ) ?? unknownField('No header is', place)
      );
    case 'path': {
      const url = withResult(request.url, made, result, ENDS_OF_A_PART);
      return url === null
        ? new EngineError(
            'BINDING_FIELD_UNKNOWN',
            'A field binding writes to a part of the URL, and the references it is made of stand together in none.',
          )
        : { ...request, url };
    }
    default:
      return new EngineError(
        'BINDING_TYPE_UNKNOWN',
        `A field binding goes to request, path or header, not ${JSON.stringify(place.type.slice(0, 40))}.`,
      );
  }
}

function writeToBody(
  request: RequestTemplate,
  { field }: BindingPlace,
  result: BodyNode,
): RequestTemplate | null {
  const { body } = request;
  if (body === null) return null;
  try {
    const path = bodyPath(field);
    const tree = withField(
      body.tree,
      isXmlBody(request) ? inXmlTree(xmlTree(body.tree), path) : path,
      result,
    );
    return tree === null ? null : { ...request, body: { ...body, tree } };
  } catch (error) {
    if (error instanceof ExpressionError) return null;
    throw error;
  }
}

/** Determined from the workflow only; a header that is computed in the run does not count. */
function isXmlBody({ headers, body }: RequestTemplate): boolean {
  const contentType =
    headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? [];
  return (
    body !== null &&
    bodyFormat(
      contentType.every((piece) => typeof piece === 'string') ? contentType.join('') : undefined,
      body.format,
      body.data,
    ) === 'xml'
  );
}

const xmlTree = (node: BodyNode): XmlTree => ({
  names: node.kind === 'map' ? node.fields.map(([name]) => name) : null,
  field: (name) => {
    const entry = node.kind === 'map' ? node.fields.find(([field]) => field === name) : undefined;
    return entry && xmlTree(entry[1]);
  },
  item: (position) =>
    node.kind === 'list' && position < node.items.length
      ? xmlTree(node.items[position])
      : undefined,
});

/** Finds a header by name, or else by the references in its value. */
function writeToHeader(
  request: RequestTemplate,
  { field, isName }: BindingPlace,
  change: (value: Template, isNamed: boolean) => Template | null,
): RequestTemplate | null {
  let isFound = false;
  const headers = request.headers.map((header) => {
    const isNamed = header.name.toLowerCase() === field.trim().toLowerCase();
    const value = isName && !isNamed ? null : change(header.value, isNamed);
    if (value === null) return header;
    isFound = true;
    return { ...header, value };
  });
  return isFound ? { ...request, headers } : null;
}

/** A missing place is ignored here; validation reports it. */
function copyTo(
  request: RequestTemplate,
  target: BindingTarget,
  made: ReadonlySet<string>,
  first: Source,
): RequestTemplate {
  // References with text between them are separate values.
  const chosen = (text: Template): Template =>
    (made.size > 1 ? withResult(text, made, first, ANY_TEXT) : null) ?? text;
  const holdsReference = (text: Template): boolean =>
    text.some(
      (piece) => typeof piece !== 'string' && [...keysOf([piece])].some((key) => made.has(key)),
    );
  for (const place of bindingPlaces(target)) {
    const copied =
      place.type === 'request'
        ? writeToBody(request, place, { kind: 'source', source: first })
        : place.type === 'header'
          ? writeToHeader(request, place, (value, isNamed) =>
              holdsReference(value) ? chosen(value) : isNamed ? [first] : null,
            )
          : place.type === 'path'
            ? { ...request, url: chosen(request.url) }
            : null;
    if (copied !== null) return copied;
  }
  return request;
}

const unknownField = (problem: string, { field }: BindingPlace): EngineError =>
  new EngineError(
    'BINDING_FIELD_UNKNOWN',
    `${problem} ${JSON.stringify(field.slice(0, 100))}, to which a field binding writes.`,
  );
