import { availableParallelism, cpus, platform, release, totalmem } from 'node:os'
import { nowIso } from '../../contracts/client/wall-clock.ts'

/** The machine and date of a measurement. */
export type Machine = { cpu: string; cores: number; memoryGb: number; system: string; node: string; date: string }

export const thisMachine = (): Machine => ({
  cpu: (cpus()[0]?.model ?? 'unknown processor').replace(/\((R|TM)\)/g, '').trim(),
  cores: availableParallelism(),
  memoryGb: Math.round(totalmem() / 2 ** 30),
  system: `${platform()} ${release()}`,
  node: process.version,
  date: nowIso().slice(0, 10),
})

export const machineLine = ({ cpu, cores, memoryGb, node, date }: Machine): string =>
  `${cpu}, ${cores} cores, ${memoryGb} GB, Node ${node}, ${date}; clients on the same machine`
