import { readFileSync } from 'node:fs';

/** The kernel counts a process's time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/** User and system time of a process with all its threads since its start, seconds. */
export function readProcessCpuSeconds(pid: number | undefined): number {
  return readCpuSeconds(`/proc/${pid}/stat`);
}

/** The same of its main thread alone, milliseconds. */
export function mainThreadMs(pid: number): number {
  return readCpuSeconds(`/proc/${pid}/task/${pid}/stat`) * 1000;
}

function readCpuSeconds(path: string): number {
  // Behind the name in brackets: state is the first field, utime the 12th, stime the 13th (proc_pid_stat(5)).
  const fields = readFileSync(path, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** The most memory that a process ever had, bytes. */
export function readPeakMemory(pid: number | undefined): number {
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(peak) * 1024;
}
