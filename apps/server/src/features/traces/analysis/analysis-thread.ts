import { parentPort } from 'node:worker_threads';
import { lowerThreadPriority } from '../../../platform/start/thread-priority.ts';
import type { AnalysisResult, AnalysisTask } from './analysis-threads.ts';

lowerThreadPriority();

parentPort?.on('message', async (task: AnalysisTask) => parentPort?.postMessage(await runTask(task)));

async function runTask({ module, input }: AnalysisTask): Promise<AnalysisResult> {
  try {
    const { analysis } = await import(module);
    return { value: await analysis.analyze(input) };
  } catch (error) {
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
