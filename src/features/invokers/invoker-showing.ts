import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import { inTurns } from '../../platform/json/turns';
import { readXml } from '../../platform/xml/read-xml';
import type { Invoker } from './invoker';
import type { InvokerReading } from './invoker-reading';
import { invokerPolicy } from './invoker.policy';
import { maskInvoker, maskInvokerXml } from './mask-invoker';
import { writeInvoker } from './xml/write-invoker';

/** Invokers as somebody may see them: whole for who may change them, with secrets masked for everybody else. */
export function createInvokerShowing({ reading }: { reading: InvokerReading }) {
  const isShownWhole = (actor: Actor): boolean => allows(invokerPolicy.update, actor);

  const shown = async (actor: Actor, invoker: Invoker): Promise<Invoker> => (isShownWhole(actor) ? invoker : inTurns((turn) => maskInvoker(invoker, turn)));

  return {
    /** What this actor may see of an invoker. */
    shown,

    /** Every invoker, as they are read. */
    async *allShown(actor: Actor): AsyncGenerator<Invoker, void, void> {
      for await (const invoker of reading.all()) yield await shown(actor, invoker);
    },

    /**
     * The XML: as it was imported, or written anew of what may be seen, since a comment may hold anything.
     * @throws NotFound INVOKER_NOT_FOUND
     */
    async xml(actor: Actor, name: string): Promise<{ readonly version: number; readonly text: string }> {
      const { row, text } = await reading.source(name);
      if (isShownWhole(actor)) return { version: row.version, text };
      const root = await readXml(text);
      return { version: row.version, text: await writeInvoker(await inTurns((turn) => maskInvokerXml(root, turn))) };
    },
  };
}
