import type { UseQueryResult } from '@tanstack/react-query';
import type { ValueOrigin } from '@throughline/contract';
import { createContext, useContext } from 'react';
import type { AskedValue } from './asked-value.ts';

/** The followed value of the trace on screen. */
export interface ValueOriginState {
  readonly asked: AskedValue | undefined;
  readonly query: UseQueryResult<ValueOrigin>;
  /** Steps that have the followed value. */
  readonly marked: ReadonlySet<string>;
  readonly ask: (asked: AskedValue) => void;
  readonly close: () => void;
  /** True once after a value was asked for here: an address that asks leaves the focus where it is. */
  readonly takeFocus: () => boolean;
}

export const ValueOriginContext = createContext<ValueOriginState | undefined>(undefined);

/** Undefined where values cannot be followed: for visitors of a public project, and in the example of the first page. */
export function useValueOrigin(): ValueOriginState | undefined {
  return useContext(ValueOriginContext);
}

const NONE: ReadonlySet<string> = new Set();

/** The steps to mark in a list or graph of steps. */
export function useMarkedSteps(): ReadonlySet<string> {
  return useValueOrigin()?.marked ?? NONE;
}
