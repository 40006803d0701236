/** An account's usage of its plan. */
export interface Used {
  readonly members: number;
  readonly projects: number;
  readonly traces: number;
  /** The month in which the traces are counted. */
  readonly month: { readonly start: Date; readonly end: Date };
}
