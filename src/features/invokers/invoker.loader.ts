import { allows } from '../../platform/access/need';
import type { GraphqlContext } from '../../platform/context';
import type { Invoker } from './invoker';
import type { InvokerRecord } from './invoker.model';
import { invokerPolicy } from './invoker.policy';

export function invokerLoader(context: GraphqlContext) {
  return context.loader<number, InvokerRecord>('invokers', (ids) =>
    context.services.invokerCatalog.rowsByIds(ids),
  );
}

export function invokerByNameLoader(context: GraphqlContext) {
  return context.loader<string, InvokerRecord>('invokersByName', async (names) => {
    const rows = await context.services.invokerCatalog.rowsByName(names);
    return names.map((name) => rows.get(name) ?? null);
  });
}

/** Returns the linked invoker; null if it is deleted or not readable for the actor. */
export async function linkedInvoker(
  context: GraphqlContext,
  name: string,
): Promise<InvokerRecord | null> {
  return allows(invokerPolicy.read, context.actor) ? invokerByNameLoader(context).load(name) : null;
}

/**
 * Returns the definition as far as the actor may see it, read once per request; null if the invoker
 * was deleted.
 */
export async function definitionOf(
  row: InvokerRecord,
  context: GraphqlContext,
): Promise<Invoker | null> {
  const definitions = context.loader<InvokerRecord, Invoker>('invokerDefinitions', (rows) =>
    Promise.all(
      rows.map(async (one) => {
        const invoker = await context.services.invokerCatalog.invokerOf(one);
        return invoker && context.services.invokers.shown(context.actor, invoker);
      }),
    ),
  );
  return definitions.load(row);
}
