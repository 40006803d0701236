import { compileFunction } from 'node:vm';
import type { Method } from '../internal/foreign.ts';

type Wrap = (
  original: Method,
  before: (args: unknown[], self: unknown) => unknown[],
  after: (result: unknown) => unknown,
) => Method;

/**
 * Wraps a function so that Bluebird leaves the wrapper out of the stacks that it shows: Bluebird leaves out the lines of its own files.
 * Bluebird also removes each part of a long stack that begins with the same line as the next part. If such parts began with a line of the
 * SDK, lines of the host would be missing.
 */
// Safe cast: the code returns a wrapper.
export const wrapUnseen: Wrap = compileFunction(
  'return function (...args) { return after(original.apply(this, before(args, this))) }',
  ['original', 'before', 'after'],
  { filename: '/bluebird/js/debug/throughline.js' },
) as Wrap;
