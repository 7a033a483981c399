import { derived } from '../../platform/cache';
import type { MethodDoc, OperatorDoc, WorkflowSnapshot } from '../snapshot';
import { cleanMethod, cleanOperator, listOf } from './clean';
import { bindRequest } from '../scripts/bind';
import { bindingsByColor } from './bindings';
import type { Binding } from './bindings';
import { reportInBindings, reportInMethod, reportInOperator } from './misplaced-secrets';
import { conditionMayTakeLong, loopMayTakeLong } from '../expression/patterns';
import { compareIndexes, isInside, parseIndex } from './plan';
import type { IfNode, LoopNode, MethodNode, Plan, PlanNode } from './plan';
import { ProblemReport, withoutSkipped } from './problems';
import type { StepProblem } from './problems';
import { checkReferences, markReaders, readsOf, usesOf } from './readers';
import { readAttempts, readCall, readSuccessStatus, withSuccessStatus } from './read-call';
import type { RunConnectors } from '../connector/connector-call';
import { inDeclaredShape } from '../connector/declared-shape';
import { EngineError } from '../errors';
import { stepTypeOf } from '../step-types';
import { executedAs, readAggregator, readColor, readRequest, withFileName } from './read-method';
import { operatorKind, operatorText, readCondition, readIterator, readLoop } from './read-operator';

type Entry = {
  readonly path: readonly number[];
  readonly index: string;
  readonly report: ProblemReport;
} & (
  | { readonly kind: 'method'; readonly doc: MethodDoc }
  | {
      readonly kind: 'if' | 'loop';
      readonly doc: OperatorDoc;
      /** The operator uses a secret, which has been reported. */
      readonly isMisled: boolean;
    }
);

/** An operator whose children may still follow; `node` is null for a method. */
interface Open {
  readonly path: readonly number[];
  readonly node: IfNode | LoopNode | null;
}

const planWithoutConnectors = derived((snapshot: WorkflowSnapshot) =>
  planSteps(snapshot, new Map()),
);

/**
 * Returns the cached plan of the snapshot object, which is immutable. A plan with connectors is not
 * cached, since they may differ in the next run.
 */
export function planOf(snapshot: WorkflowSnapshot, connectors: RunConnectors): Plan {
  return connectors.size === 0 ? planWithoutConnectors(snapshot) : planSteps(snapshot, connectors);
}

/**
 * Parses, sorts and nests the steps of a workflow. An index without an entry
 * (converted 4.x workflows have them) is ignored: its children belong to the next operator above.
 * @param connectors connectors of the run; null to only validate a workflow
 */
export function planSteps(snapshot: WorkflowSnapshot, connectors: RunConnectors | null): Plan {
  const problems: StepProblem[] = [];
  const entries = readEntries(snapshot, problems);
  const bindings = bindingsByColor(listOf(snapshot.fieldBinding));
  const nodes: PlanNode[] = [];
  const roots: PlanNode[] = [];
  const open: Open[] = [];
  for (const entry of entries) {
    while (open.length > 0 && !isInside(entry.path, open[open.length - 1].path)) open.pop();
    if (open.at(-1)?.node === null)
      entry.report.add(
        'METHOD_HAS_CHILDREN',
        'index',
        `Index ${entry.index} lies inside a method; methods have no children.`,
      );
    const parent = open.findLast((candidate) => candidate.node !== null)?.node ?? null;
    const node = readNode(entry, parent, nodes.length, {
      snapshot,
      connectors,
      bindings,
    });
    nodes.push(node);
    (parent?.children ?? roots).push(node);
    open.push({ path: entry.path, node: node.kind === 'method' ? null : node });
  }
  reportDuplicateColors(nodes, entries);
  const byColor = new Map(
    nodes.map((node) => [node.kind === 'method' ? node.color : null, node.position]),
  );
  reportInBindings(
    snapshot.fieldBinding,
    (color) =>
      entries[color === null ? -1 : (byColor.get(color) ?? -1)]?.report ??
      new ProblemReport({ index: null, type: 'fieldBinding', stepId: null }, problems),
  );
  const uses = usesOf(nodes);
  markReaders(nodes, uses, listOf(snapshot.fieldBinding));
  checkReferences(
    nodes,
    uses,
    entries.map((entry) => entry.report),
  );
  const reads = connectors === null ? readsOf(nodes, uses) : [];
  const disabled = new Set(nodes.flatMap(({ enabled, index }) => (enabled ? [] : [index])));
  return { roots, problems: inWalkingOrder(withoutSkipped(problems, disabled)), reads, disabled };
}

/** Sorts problems without a valid index to the end. */
function inWalkingOrder(problems: readonly StepProblem[]): StepProblem[] {
  const placed = problems.map((problem) => ({ problem, path: parseIndex(problem.index) }));
  placed.sort((left, right) =>
    left.path === null || right.path === null
      ? Number(left.path === null) - Number(right.path === null)
      : compareIndexes(left.path, right.path),
  );
  return placed.map(({ problem }) => problem);
}

function readEntries(snapshot: WorkflowSnapshot, problems: StepProblem[]): Entry[] {
  const entries: Entry[] = [];
  for (const method of listOf(snapshot.fromConnector?.methods)) {
    const doc = cleanMethod(method);
    const report = new ProblemReport(
      { index: doc.index ?? null, type: 'method', stepId: doc.id ?? null },
      problems,
    );
    reportInMethod(method, report);
    addEntry(entries, doc.index, report, (place) => ({ ...place, kind: 'method', doc }));
  }
  for (const operator of listOf(snapshot.fromConnector?.operators)) {
    const doc = cleanOperator(operator);
    const report = new ProblemReport(
      { index: doc.index ?? null, type: doc.type ?? 'operator', stepId: doc.id ?? null },
      problems,
    );
    const isMisled = reportInOperator(operator, report);
    const kind = operatorKind(doc, report);
    if (kind !== null)
      addEntry(entries, doc.index, report, (place) => ({ ...place, kind, doc, isMisled }));
  }
  entries.sort((left, right) => compareIndexes(left.path, right.path));
  entries.forEach((entry, position) => {
    if (position > 0 && compareIndexes(entries[position - 1].path, entry.path) === 0) {
      entry.report.add('INDEX_DUPLICATE', 'index', `The index ${entry.index} is used twice.`);
    }
  });
  return entries;
}

function addEntry(
  entries: Entry[],
  index: string | null | undefined,
  report: ProblemReport,
  make: (place: Pick<Entry, 'path' | 'index' | 'report'>) => Entry,
): void {
  const path = parseIndex(index);
  if (path === null)
    report.add(
      'INDEX_INVALID',
      'index',
      `${JSON.stringify(index ?? null)} is no index (numbers joined with "_").`,
    );
  else entries.push(make({ path, index: index ?? '', report }));
}

interface Around {
  readonly snapshot: WorkflowSnapshot;
  readonly connectors: RunConnectors | null;
  /** Field bindings by the colour of their target step. */
  readonly bindings: ReadonlyMap<string, readonly Binding[]>;
}

function readNode(
  entry: Entry,
  parent: PlanNode | null,
  position: number,
  around: Around,
): PlanNode {
  const loops =
    parent === null ? [] : parent.kind === 'loop' ? [...parent.loops, parent] : parent.loops;
  const enabled = entry.doc.enabled !== false && parent?.enabled !== false;
  const place = { stepId: entry.doc.id ?? null, index: entry.index, loops, position, enabled };
  if (entry.kind === 'method') {
    if (enabled) for (const loop of loops) loop.holdsMethods = true;
    return readMethod(entry.doc, place, entry.report, around);
  }
  const text = entry.isMisled ? '' : operatorText(entry.doc);
  if ((entry.doc.expression ?? '').trim() === '')
    entry.report.add(
      'OPERATOR_EXPRESSION_IS_EMPTY',
      'expression',
      `Operator (index=${entry.index}, type=${entry.kind}) has null or empty expression`,
    );
  if (entry.kind === 'if') {
    const expression = text === '' ? null : readCondition(text, entry.report);
    return {
      ...place,
      kind: 'if',
      text,
      expression,
      mayTakeLong: expression !== null && conditionMayTakeLong(expression),
      children: [],
    };
  }
  const iterator = readIterator(entry.doc, loops, entry.report);
  const loop = text === '' ? null : readLoop(text, entry.report);
  return {
    ...place,
    kind: 'loop',
    text,
    iterator,
    loop,
    mayTakeLong: loop !== null && loopMayTakeLong(loop),
    holdsMethods: false,
    children: [],
  };
}

/** Lists all fields: V8 stores a spread object of this size as a slow dictionary. */
function readMethod(
  doc: MethodDoc,
  {
    stepId,
    index,
    loops,
    position,
    enabled,
  }: Pick<MethodNode, 'stepId' | 'index' | 'loops' | 'position' | 'enabled'>,
  report: ProblemReport,
  { snapshot, connectors, bindings }: Around,
): MethodNode {
  const color = readColor(doc, report);
  const bound = color === null ? [] : (bindings.get(color) ?? []);
  const type = executedAs(doc, snapshot.fromConnector?.connectorId);
  const attempts = readAttempts(doc, report);
  const successStatus = readSuccessStatus(doc, report);
  const called =
    stepTypeOf(type)?.callsConnector === true && connectors !== null
      ? readCall(doc, snapshot.fromConnector?.connectorId, connectors, report)
      : null;
  const read =
    called === null
      ? readRequest(doc.request, stepTypeOf(type)?.needsUrl === true, report)
      : called.request;
  const request = read && withFileName(read, doc, report);
  const { request: boundRequest, scripts } =
    request === null ? { request, scripts: [] } : bindRequest(request, bound, report);
  const call = withSuccessStatus(called?.call ?? null, successStatus);
  return {
    kind: 'method',
    stepId,
    index,
    loops,
    position,
    enabled,
    name: doc.name ?? doc.label ?? null,
    label: doc.label ?? null,
    color,
    methodType: doc.methodType ?? null,
    executedAs: type,
    request:
      boundRequest === null || call === null || call instanceof EngineError
        ? boundRequest
        : inDeclaredShape(boundRequest, call.operation.request.body),
    scripts,
    call,
    connector:
      call === null || call instanceof EngineError
        ? null
        : { id: call.connector.id, title: call.connector.title },
    timeoutMs: attempts.timeoutMs ?? called?.timeoutMs ?? null,
    timeoutOf: attempts.timeoutMs === null ? 'connector' : 'step',
    retries: attempts.retries,
    backoffMs: attempts.backoffMs,
    aggregator: readAggregator(doc),
    required: doc.required === true,
    repeatable: doc.repeatable === true,
    successStatus,
    jumps: doc.jump !== null && doc.jump !== undefined,
    keep: 'NONE',
    readsFields: false,
    statusIsValue: false,
  };
}

function reportDuplicateColors(nodes: readonly PlanNode[], entries: readonly Entry[]): void {
  const seen = new Set<string>();
  for (const node of nodes) {
    if (node.kind !== 'method' || node.color === null) continue;
    if (seen.has(node.color))
      entries[node.position].report.add(
        'COLOR_DUPLICATE',
        'color',
        `The colour ${node.color} is used by two methods.`,
      );
    seen.add(node.color);
  }
}
