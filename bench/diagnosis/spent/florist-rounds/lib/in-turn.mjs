/** Runs tasks, at most `atOnce` of them at the same time. Returns their results in the order of the tasks. */
export async function inTurn(tasks, atOnce) {
  const results = [];
  const waiting = tasks.entries();
  const worker = async () => {
    for (const [index, task] of waiting) results[index] = await task();
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
