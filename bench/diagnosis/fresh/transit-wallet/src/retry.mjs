export class TimeoutError extends Error {}

export function withTimeout(promise, ms) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(`no answer within ${ms} ms`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

export async function retry(task, { attempts, timeoutMs }) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withTimeout(task(attempt), timeoutMs);
    } catch (error) {
      if (attempt === attempts || !(error instanceof TimeoutError)) throw error;
    }
  }
}
