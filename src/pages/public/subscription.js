/** Events that are kept for the eye; of more, the oldest go. */
const SHOWN = 1_000;
/** How often the list is written anew while events come, ms. */
const BREATH = 100;

/**
 * A subscription as GraphiQL takes it, which shows the last value only: so every value is the whole list, the newest event first.
 * `start` gets what hears of events and gives back what ends the subscription.
 */
export function allEvents(start) {
  return {
    subscribe({ next, error, complete }) {
      const newestFirst = [];
      let received = 0;
      let timer = null;
      const write = (state) => {
        clearTimeout(timer);
        timer = null;
        const left = received > newestFirst.length ? { olderLeftOut: received - newestFirst.length } : {};
        next({ state, received, ...left, newestFirst: [...newestFirst] });
      };
      const stop = start({
        next(event) {
          received += 1;
          newestFirst.unshift(event);
          newestFirst.length = Math.min(newestFirst.length, SHOWN);
          timer ??= setTimeout(write, received === 1 ? 0 : BREATH, 'listening');
        },
        error(reason) {
          if (received === 0) return error(reason);
          write(reason.message ?? 'failed');
          complete();
        },
        complete() {
          write('completed');
          complete();
        },
      });
      return {
        unsubscribe() {
          clearTimeout(timer);
          stop();
        },
      };
    },
  };
}
