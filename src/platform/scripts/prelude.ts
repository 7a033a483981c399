/**
 * Evaluated in each sandbox before the script, and kept outside of its reach: it takes hold of what it needs while everything is still what it
 * was. What is called behind the script touches no prototype but those of values the script itself gives.
 */
export const PRELUDE = `(() => {
  'use strict';
  const { parse, stringify } = JSON;
  const { defineProperty } = Object;
  const PromiseOf = Promise;
  const world = globalThis;
  return {
    define(name, json) {
      defineProperty(world, name, { value: parse(json), writable: true, enumerable: true, configurable: true });
    },
    result(value) {
      const kind = typeof value;
      if (kind === 'undefined' || kind === 'function' || kind === 'symbol' || kind === 'bigint') return '!' + kind;
      if (kind === 'number' && !(value - value === 0)) return '!' + value;
      if (kind === 'object' && value instanceof PromiseOf) return '!promise';
      const json = stringify(value);
      return json === undefined ? '!undefined' : '=' + json;
    },
    part(error, name) {
      if (typeof error !== 'object' && typeof error !== 'function' || error === null) return name === 'message' && typeof error !== 'symbol' ? '' + error : '';
      const part = error[name];
      return typeof part === 'string' ? part : '';
    },
  };
})()`;
