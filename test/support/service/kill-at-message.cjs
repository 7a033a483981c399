'use strict';
/*
 * Preloaded into a service: kills it, or the process of a run, before it hands on a message between the two. The file
 * KILLS has which of them dies, and at which message, for each execution of the run; a kill removes the first. Each event
 * counts as a message: those before it are handed on and stored.
 */
const childProcess = require('node:child_process');
const { existsSync, readFileSync, writeFileSync } = require('node:fs');

const { KILLS } = process.env;
/** Messages about what has happened before, of every process, or of a timer. */
const UNCOUNTED = new Set(['open', 'ready', 'execute', 'stored', 'alive', 'waiting', 'calls']);

const { fork } = childProcess;
childProcess.fork = (program, ...options) => {
  const child = fork(program, ...options);
  if (!program.endsWith('run-process.js')) return child;
  const { send, emit } = child;
  /** The service, or this child; null if none is killed. */
  let victim = null;
  let left = 0;
  let later = [];
  /** `open`: all is handed on; `cut`: the last events are handed on; `dead`: nothing is. */
  let line = 'open';

  const kill = () => {
    line = 'dead';
    writeFileSync(KILLS, JSON.stringify({ who: victim, at: later }));
    if (victim === 'service') process.kill(process.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  };
  const begin = () => {
    const { who, at } = existsSync(KILLS) ? JSON.parse(readFileSync(KILLS, 'utf8')) : { at: [] };
    victim = at.length > 0 ? who : null;
    [left, ...later] = at;
  };
  /** The part of a message that is handed on; null: nothing. */
  const passed = (message) => {
    if (line === 'dead') return null;
    if (message.kind === 'execute') begin();
    if (line === 'cut') {
      if (message.kind === 'stored') kill();
      return null;
    }
    if (victim === null || UNCOUNTED.has(message.kind)) return message;
    const count = message.rows?.length ?? 1;
    left -= count;
    if (left > 0) return message;
    const rows = message.rows?.slice(0, count + left - 1) ?? [];
    if (rows.length === 0) {
      kill();
      return null;
    }
    line = 'cut';
    return { ...message, rows };
  };

  child.send = (message, ...more) => {
    const part = passed(message);
    return part === null ? true : send.call(child, part, ...more);
  };
  child.emit = (name, message, ...more) => {
    if (name !== 'message') return emit.call(child, name, message, ...more);
    const part = passed(message);
    return part === null ? true : emit.call(child, name, part, ...more);
  };
  return child;
};
