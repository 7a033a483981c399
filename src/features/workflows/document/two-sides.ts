import { stepTypeOf } from '../../../engine';
import { buildTree, listSteps } from '../editing/step-tree';
import type { TreeStep } from '../editing/step-tree';
import { isJsonObject } from './json';
import type { JsonObject } from './json';
import { idOf } from './record-id';
import { parseNotes, TWO_CONTAINERS } from './two-containers';
import type { TwoContainers } from './two-containers';
import type { MethodDocument, StepDocument, WorkflowDocument } from './document-shape';

export type Side = 'from' | 'to';

/** Where a step stands in a 4.x document. */
export interface SidePlace {
  readonly side: Side;
  readonly index: string | null;
}

/** The two sides of a workflow, or why it has none. */
export type TwoSides =
  | {
      readonly places: ReadonlyMap<StepDocument, SidePlace>;
      /** The connector of each side, as a method names it; null if no method does. */
      readonly connectors: Readonly<Record<Side, JsonObject | null>>;
      readonly reason: null;
    }
  | { readonly reason: string };

/**
 * Divides the steps of a workflow into a source, whose steps run first and call one connector, and
 * a target.
 * @param notes what was written by a 4.x client; preferred where the steps allow several divisions
 */
export function divideSteps(document: WorkflowDocument, notes: TwoContainers | null): TwoSides {
  const { methods } = document.fromConnector;
  const unassigned = methods.find((method) => connectorKeyOf(method) === null);
  if (unassigned) return { reason: `${nameOf(unassigned)} calls no connector` };
  const jumping = methods.find(({ jump }) => jump != null);
  if (jumping) return { reason: `${nameOf(jumping)} jumps to another step` };
  const connectors = connectorsOf(document);
  if (connectors.size > 2)
    return { reason: `its steps call ${connectors.size} connectors, and a 4.x workflow has two` };
  const { roots, unplaced } = buildTree(document);
  const division = pairsOf([...connectors.keys()], notes)
    .map((pair) => splitRoots(roots, pair, preferenceOf(roots, notes)))
    .find((result) => result.reason === null);
  if (!division) return { reason: mixedReason(roots, connectors) };
  const { pair, at } = division;
  const sides: Record<Side, readonly TreeStep[]> = {
    from: roots.slice(0, at),
    to: roots.slice(at),
  };
  const sideById = notedSides(notes);
  return {
    reason: null,
    connectors: {
      from: connectors.get(pair[0] ?? '') ?? null,
      to: connectors.get(pair[1] ?? '') ?? null,
    },
    places: new Map([
      ...placesOf('from', sides.from),
      ...placesOf('to', sides.to),
      ...unplaced.map(({ step }): [StepDocument, SidePlace] => {
        const isTo = pair[0] === pair[1] ? false : connectorKeyOf(step) === pair[1];
        const side = sideById.get(step.id) ?? (isTo ? 'to' : 'from');
        return [step, { side, index: step.index ?? null }];
      }),
    ]),
  };
}

/**
 * Returns the side of each step by its id, if a 4.x client wrote the workflow: as that client sees
 * it, or, if two containers can no longer show the workflow, as it was written.
 */
export function sidesOf(document: WorkflowDocument): ReadonlyMap<string, Side> {
  const notes = parseNotes(document[TWO_CONTAINERS]);
  if (notes === null) return new Map();
  const sides = divideSteps(document, notes);
  return sides.reason === null
    ? new Map([...sides.places].map(([{ id }, { side }]) => [id, side]))
    : notedSides(notes);
}

/** Identifies the connector of a method: its id or, in a template, its invoker and title. */
function connectorKeyOf({ connector, methodType }: JsonObject): string | null {
  if (
    !isJsonObject(connector) ||
    (methodType != null && stepTypeOf(methodType)?.callsConnector !== true)
  )
    return null;
  return connectorKey(connector);
}

export function connectorKey({ connectorId, title, invoker }: JsonObject): string | null {
  const id = idOf(connectorId);
  if (id !== null) return String(id);
  const name = isJsonObject(invoker) ? invoker.name : invoker;
  return typeof name === 'string' && name !== '' ? JSON.stringify([name, title ?? null]) : null;
}

/** How messages name a step. */
export function nameOf({ label, name, type, index }: JsonObject): string {
  const called = [label, name, type].find((text) => typeof text === 'string' && text !== '');
  const place = typeof index === 'string' ? ` (index ${index})` : '';
  return `the step ${JSON.stringify(called ?? '')}${place}`;
}

/** The connectors of the methods by key, in execution order. */
function connectorsOf(document: WorkflowDocument): Map<string, JsonObject> {
  const { roots, unplaced } = buildTree(document);
  const byKey = new Map<string, JsonObject>();
  for (const { step, kind } of [...listSteps(roots), ...unplaced]) {
    const key = kind === 'method' ? connectorKeyOf(step) : null;
    if (key !== null && !byKey.has(key))
      byKey.set(key, (step as MethodDocument).connector as JsonObject);
  }
  return byKey;
}

type Pair = readonly [from: string | null, to: string | null];

/** The connectors of both sides, the most likely first. */
function pairsOf(keys: readonly string[], notes: TwoContainers | null): Pair[] {
  const [first = null, second = first] = keys;
  const inOrder: Pair = [first, second];
  if (notes === null) return [inOrder];
  const inNotes: Pair = [connectorKey(notes.from.connector), connectorKey(notes.to.connector)];
  return keys.every((key) => inNotes.includes(key)) ? [inNotes, inOrder] : [inOrder];
}

type Division =
  | { readonly reason: null; readonly pair: Pair; readonly at: number }
  | { readonly reason: 'mixed' };

/** Finds the first root of the to side. */
function splitRoots(
  roots: readonly TreeStep[],
  pair: Pair,
  preference: (root: TreeStep) => Side | null,
): Division {
  const [from, to] = pair;
  let lowest = 0;
  let highest = roots.length;
  if (from !== to)
    for (const [at, root] of roots.entries()) {
      const keys = keysIn(root);
      if (keys.has(from)) lowest = at + 1;
      if (keys.has(to)) highest = Math.min(highest, at);
    }
  if (lowest > highest) return { reason: 'mixed' };
  const preferred = roots.map(preference);
  let best = lowest;
  let gain = 0;
  let bestGain = 0;
  for (let at = lowest + 1; at <= highest; at += 1) {
    gain += preferred[at - 1] === 'to' ? -1 : preferred[at - 1] === 'from' ? 1 : 0;
    if (gain < bestGain) continue;
    [best, bestGain] = [at, gain];
  }
  return { reason: null, pair, at: best };
}

const keysIn = (root: TreeStep): Set<string | null> =>
  new Set(
    listSteps([root]).flatMap(({ kind, step }) =>
      kind === 'method' ? [connectorKeyOf(step)] : [],
    ),
  );

/** A converted document keeps the side in its indexes: `0_` and `1_`. */
function preferenceOf(
  roots: readonly TreeStep[],
  notes: TwoContainers | null,
): (root: TreeStep) => Side | null {
  if (roots.every(({ step }) => /^[01]_/.test(step.index ?? '')))
    return ({ step }) => (step.index?.startsWith('0') ? 'from' : 'to');
  const sideById = notedSides(notes);
  return ({ step }) => sideById.get(step.id) ?? null;
}

function notedSides(notes: TwoContainers | null): Map<string, Side> {
  const of = (side: Side): [string, Side][] =>
    notes === null
      ? []
      : [...notes[side].methods, ...notes[side].operators].map(({ id }) => [id, side]);
  return new Map([...of('from'), ...of('to')]);
}

/** The indexes of one side. Without the prefix of the side in all of them, roots are numbered. */
function placesOf(side: Side, roots: readonly TreeStep[]): [StepDocument, SidePlace][] {
  const prefix = side === 'from' ? '0_' : '1_';
  const isPrefixed = roots.every(({ step }) => step.index?.startsWith(prefix));
  return roots.flatMap((root, position) => {
    const depth = root.step.index?.split('_').length ?? 0;
    return listSteps([root]).map(({ step }): [StepDocument, SidePlace] => {
      const index = step.index ?? '';
      const rest = index.split('_').slice(depth);
      return [
        step,
        { side, index: isPrefixed ? index.slice(prefix.length) : [position, ...rest].join('_') },
      ];
    });
  });
}

function mixedReason(
  roots: readonly TreeStep[],
  connectors: ReadonlyMap<string, JsonObject>,
): string {
  const [first, second] = [...connectors.values()].map(({ title, connectorId }) =>
    JSON.stringify(typeof title === 'string' ? title : connectorId),
  );
  const [from = '', to = ''] = connectors.keys();
  const begun = roots.findIndex((root) => keysIn(root).has(to));
  const back = roots.slice(begun).find((root) => keysIn(root).has(from));
  const example = back ? `, such as ${nameOf(back.step)}` : '';
  return `steps that call the connector ${first} run after or between those that call ${second}${example}`;
}
