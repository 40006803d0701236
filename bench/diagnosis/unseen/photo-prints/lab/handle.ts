import { Problem } from './problem.ts';
import { printJob, type JobRequest } from './jobs.ts';
import { sizesOf } from './papers.ts';

async function dispatch(method: string, path: string, text: string): Promise<unknown> {
  if (method === 'POST' && path === '/jobs') return printJob(JSON.parse(text) as JobRequest);
  const paper = /^\/papers\/([\w-]+)$/.exec(path)?.[1];
  if (method === 'GET' && paper) return { paper, sizes: sizesOf(paper) };
  throw new Problem(404, 'unknown path');
}

export async function handle(method: string, path: string, text: string) {
  try {
    return { status: 200, body: await dispatch(method, path, text) };
  } catch (error) {
    const status = error instanceof Problem ? error.status : 500;
    return { status, body: { error: (error as Error).message } };
  }
}
