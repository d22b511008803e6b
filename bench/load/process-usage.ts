import { readdirSync, readFileSync } from 'node:fs'

/** Resource usage of a process and its descendants from /proc; every figure is NaN without /proc. */
export type Usage = { residentMb: number; cpuMs: number; files: number }

/** Clock ticks per second (`USER_HZ`): 100 on every Linux that Node runs on. */
const TICKS = 100

/** Fields of /proc/PID/stat with user and system time, its own and that of children that ended. */
const CPU_FIELDS = [11, 15] as const

/** Reads the current memory, CPU time and open files of a process with its descendants. */
export const usageOf = (pid: number | undefined): Usage => {
  const others = descendantsOf(pid).map(usageOfOne)
  const all = [usageOfOne(pid), ...others.filter(({ residentMb }) => !Number.isNaN(residentMb))] // some have ended meanwhile
  const sum = (of: keyof Usage) => all.reduce((total, usage) => total + usage[of], 0)
  return { residentMb: sum('residentMb'), cpuMs: sum('cpuMs'), files: sum('files') }
}

const usageOfOne = (pid: number | undefined): Usage => {
  try {
    const ticks = fieldsOf(Number(pid)).slice(...CPU_FIELDS)
    const cpuMs = (ticks.reduce((sum, field) => sum + Number(field), 0) * 1000) / TICKS
    return { residentMb: residentMb(pid), cpuMs, files: readdirSync(`/proc/${pid}/fd`).length }
  } catch {
    return { residentMb: Number.NaN, cpuMs: Number.NaN, files: Number.NaN }
  }
}

/**
 * Reads the processor time that the running threads of a process have used, in milliseconds; finer than the ticks of
 * `usageOf`, without threads and children that ended.
 */
export const cpuMsOfThreads = (pid: number): number => {
  const threads = readdirSync(`/proc/${pid}/task`)
  const nanoseconds = threads.map(thread => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
  return nanoseconds.reduce((sum, one) => sum + Number(one), 0) / 1e6
}

/** Reads the resident memory of a process in MB: current (VmRSS) or peak (VmHWM). */
export const residentMb = (pid: number | undefined, what: 'VmRSS' | 'VmHWM' = 'VmRSS'): number => {
  try {
    const lines = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(new RegExp(`${what}:\\s+(\\d+)`).exec(lines)?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}

const descendantsOf = (pid: number | undefined): number[] => {
  try {
    const known = readdirSync('/proc').filter(name => /^\d+$/.test(name))
    const children = known.map(Number).filter(one => parentOf(one) === pid)
    return children.flatMap(child => [child, ...descendantsOf(child)])
  } catch {
    return []
  }
}

const parentOf = (pid: number): number | undefined => {
  try {
    return Number(fieldsOf(pid)[1])
  } catch {
    return undefined // it has ended meanwhile
  }
}

/** Fields of /proc/PID/stat after the process name: state, parent … */
const fieldsOf = (pid: number): string[] => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}
