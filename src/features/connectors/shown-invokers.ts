import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import type { Need } from '../../platform/access/need';
import type { Services } from '../../platform/context';
import { invokerPolicy } from '../invokers/invoker.policy';
import { presentInvoker } from '../invokers/invoker.presenter';
import { connectorPolicy } from './connector.policy';

/** Who reads connectors reads their invokers with them. */
const SHOWS_INVOKERS = { any: [connectorPolicy.read, invokerPolicy.read] } as const satisfies Need;

/** Invokers as REST clients read them in workflows and templates. */
export class ShownInvokers {
  constructor(private readonly services: Pick<Services, 'invokerCatalog' | 'invokers'>) {}

  /** Returns null if there is no such invoker, or if the actor may not read it. */
  async byName(actor: Actor, name: string): Promise<object | null> {
    if (!allows(SHOWS_INVOKERS, actor)) return null;
    const invoker = await this.services.invokerCatalog.byName(name);
    return invoker && presentInvoker(this.services.invokers.shown(actor, invoker));
  }
}
