import { signal } from '@preact/signals';

/** The time, ticking each second while the page is seen. */
export const now = signal(Date.now());
setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 1_000);
document.addEventListener('visibilitychange', () => {
  now.value = Date.now();
});
