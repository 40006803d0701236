const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export async function withRetry(task, { attempts = 6, delay = 50 } = {}) {
  let lastError;
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      return await task();
    } catch (error) {
      lastError = error;
      if (attempt < attempts - 1) await pause(delay * 2 ** attempt);
    }
  }
  throw lastError;
}
