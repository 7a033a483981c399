/** Events that are kept for the eye; of more, the oldest go. */
const SHOWN = 1_000;
/** How often the list is written anew while events come, ms. */
const BREATH = 100;

/**
 * A subscription as GraphiQL takes it, which shows the last value only: so every value is the whole list, the newest event first.
 * `start` gets what hears of events and gives back what ends the subscription; `running` gets that too, while it goes on: called from outside
 * it ends without another word.
 */
export function allEvents(start, running) {
  return {
    subscribe({ next, error, complete }) {
      const newestFirst = [];
      let received = 0;
      let timer = null;
      let isLeft = false;
      const write = (state) => {
        clearTimeout(timer);
        timer = null;
        const left =
          received > newestFirst.length ? { olderLeftOut: received - newestFirst.length } : {};
        next({ state, received, ...left, newestFirst: [...newestFirst] });
      };
      const done = () => {
        running.delete(leave);
        complete();
      };
      const stop = start({
        next(event) {
          received += 1;
          newestFirst.unshift(event);
          newestFirst.length = Math.min(newestFirst.length, SHOWN);
          timer ??= setTimeout(write, received === 1 ? 0 : BREATH, 'listening');
        },
        error(reason) {
          if (received === 0) {
            running.delete(leave);
            error(reason);
            return;
          }
          write(reason.message ?? 'failed');
          done();
        },
        complete() {
          if (isLeft) return;
          write('completed');
          done();
        },
      });
      const end = () => {
        clearTimeout(timer);
        running.delete(leave);
        isLeft = true;
        stop();
      };
      const leave = () => {
        end();
        complete();
      };
      running.add(leave);
      return { unsubscribe: end };
    },
  };
}
