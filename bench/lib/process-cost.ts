import { readFileSync } from 'node:fs';

/** The kernel counts CPU time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/** Returns the user and system time of a process, including all threads, since its start. Seconds. */
export function readProcessCpuSeconds(pid: number | undefined): number {
  return readCpuSeconds(`/proc/${pid}/stat`);
}

/** Returns the user and system time of a process's main thread. Milliseconds. */
export function mainThreadMs(pid: number): number {
  return readCpuSeconds(`/proc/${pid}/task/${pid}/stat`) * 1000;
}

function readCpuSeconds(path: string): number {
  // The process name in brackets is removed because it can contain spaces. In the rest, state is the first field, utime the 12th and
  // stime the 13th (proc_pid_stat(5)).
  const fields = readFileSync(path, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Returns the peak memory of a process. Bytes. */
export function readPeakMemory(pid: number | undefined): number {
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(peak) * 1024;
}
