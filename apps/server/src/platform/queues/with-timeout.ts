/** Resolves to a promise's value; undefined if the promise rejects or takes longer than `ms`. */
export async function withTimeout<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  const settled = promise.catch(() => undefined);
  return Promise.race([settled, late]).finally(() => clearTimeout(timer));
}
