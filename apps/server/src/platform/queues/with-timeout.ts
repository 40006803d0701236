/** Resolves to a promise's value; to undefined where that takes longer than `ms` or fails. */
export async function withTimeout<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  const settled = promise.catch(() => undefined);
  return Promise.race([settled, late]).finally(() => clearTimeout(timer));
}
