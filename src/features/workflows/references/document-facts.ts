import type { Steps, Turn } from '../../../platform/json/turns';
import { isJsonObject } from '../json';
import type { JsonObject } from '../json';
import { secretNames } from './secret-names';

/** What a document refers to and lists show: kept in the row of its workflow, so that nobody reads bodies to find it. */
export interface DocumentFacts {
  /** The connectors its steps call, each once, ascending. */
  readonly connectorIds: readonly number[];
  /** Names of invokers that are written in the document, each once. */
  readonly invokers: readonly string[];
  /** Names of the secrets it refers to, folded, each once. */
  readonly secrets: readonly string[];
  readonly categoryId: number | null;
  /** Where its icon is; null when there is none. */
  readonly icon: string | null;
}

/** No invoker has a longer name, and no icon a longer address: what is longer stays in the document alone. */
const LONGEST = { invoker: 255, icon: 2_048 } as const;

/** The facts of a document. It may be of a shape that is not quite right: what is no id is none. */
export function* documentFacts(document: JsonObject, turn: Turn): Steps<DocumentFacts> {
  const container = isJsonObject(document.fromConnector) ? document.fromConnector : {};
  const methods = (Array.isArray(container.methods) ? container.methods : []).filter(isJsonObject);
  const connectors = [container, ...methods.map(({ connector }) => connector).filter(isJsonObject)];
  return {
    connectorIds: [...new Set(connectors.flatMap(({ connectorId }) => idOf(connectorId) ?? []))].sort((a, b) => a - b),
    invokers: [...new Set(connectors.flatMap((connector) => invokerOf(connector) ?? []))].sort(),
    secrets: yield* secretNames(document, turn),
    categoryId: idOf(document.categoryId),
    icon: textUpTo(document.icon, LONGEST.icon),
  };
}

/** The id of a record, as a number or, from old clients, as text; -1 and 0 stand for none. */
export function idOf(value: unknown): number | null {
  const id = typeof value === 'string' && /^[1-9]\d{0,9}$/.test(value) ? Number(value) : value;
  return typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= 2_147_483_647 ? id : null;
}

const invokerOf = ({ invoker }: JsonObject): string | null => textUpTo(isJsonObject(invoker) ? invoker.name : invoker, LONGEST.invoker);

const textUpTo = (value: unknown, longest: number): string | null =>
  (typeof value === 'string' && value !== '' && value.length <= longest && value.isWellFormed() && !value.includes('\0') ? value : null);
