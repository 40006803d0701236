import { readFileSync } from 'node:fs';

/** The kernel counts a process's time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/** User and system time of a process with all its threads since its start, seconds. */
export function cpuSecondsOf(pid: number | undefined): number {
  // Behind the name in brackets: state is the first field, utime the 12th, stime the 13th (proc_pid_stat(5)).
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
