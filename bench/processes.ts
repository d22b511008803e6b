import { readdirSync, readFileSync } from 'node:fs'

/** What the kernel tells of a process and of those that it started; NaN everywhere where there is no /proc. */
export type Usage = { residentMb: number; cpuMs: number; files: number }

/** Ticks of the kernel's clock in a second: 100 on every Linux that Node runs on. */
const TICKS = 100

/** Its own time for programs and kernel, then that of the children which it has seen end. */
const CPU_FIELDS = [11, 15] as const

/** Memory, processor time and open files of a process with its descendants, now. */
export const usageOf = (pid: number | undefined): Usage => {
  const others = descendantsOf(pid).map(usageOfOne)
  const all = [usageOfOne(pid), ...others.filter(({ residentMb }) => !Number.isNaN(residentMb))] // some end meanwhile
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

/** What the kernel counts as resident, now (VmRSS) or at its most (VmHWM). */
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

/** The fields of /proc/PID/stat behind the name, which may hold anything: state, parent … */
const fieldsOf = (pid: number): string[] => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}
