/** The errors of a project that users merged. */
export interface MergedErrors {
  /** The errors that were merged into another error. `targets` contains the other error at the same index. */
  readonly merged: readonly string[];
  readonly targets: readonly string[];
  /** Returns the target that an error was merged into, or the error itself. */
  resolve(errorId: string): string;
  /** Lists the errors that were merged into a target. */
  listMerged(targetId: string): readonly string[];
}

export function buildMergedErrors(
  rows: readonly { readonly errorId: string; readonly targetId: string }[],
): MergedErrors {
  const targetOfError = new Map(rows.map(({ errorId, targetId }) => [errorId, targetId]));
  const byTarget = Map.groupBy(rows, ({ targetId }) => targetId);
  return {
    merged: rows.map(({ errorId }) => errorId),
    targets: rows.map(({ targetId }) => targetId),
    resolve: (errorId) => targetOfError.get(errorId) ?? errorId,
    listMerged: (targetId) => (byTarget.get(targetId) ?? []).map(({ errorId }) => errorId),
  };
}
