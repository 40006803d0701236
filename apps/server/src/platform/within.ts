/** What a promise comes to; undefined where that takes longer than `ms`, or where it fails. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  const settled = promise.catch(() => undefined);
  return Promise.race([settled, late]).finally(() => clearTimeout(timer));
}
