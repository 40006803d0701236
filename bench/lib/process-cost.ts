import { readFileSync } from 'node:fs';

/** The kernel counts CPU time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/** Returns the CPU time in seconds (user and system, all threads) that a process used since its start. */
export function readProcessCpuSeconds(pid: number | undefined): number {
  return readCpuSeconds(`/proc/${pid}/stat`);
}

/** Returns the CPU time in ms (user and system) that the main thread of a process used. */
export function mainThreadMs(pid: number): number {
  return readCpuSeconds(`/proc/${pid}/task/${pid}/stat`) * 1000;
}

function readCpuSeconds(path: string): number {
  // Removes the process name in brackets, which can contain spaces. In the remaining fields, the state is the first, utime the 12th and
  // stime the 13th (proc_pid_stat(5)).
  const fields = readFileSync(path, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Returns the peak memory of a process in bytes. */
export function readPeakMemory(pid: number | undefined): number {
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(peak) * 1024;
}
