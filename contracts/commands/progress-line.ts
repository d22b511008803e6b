import type { CheckResult } from '../harness/judge/check.ts'

const WIDTH = 24

/** Creates callbacks that draw a run's progress in one line on a terminal; none where stderr is no terminal. */
export const createProgressLine = (
  total: number,
): { onResult?(result: CheckResult): void; onScenarioStart?(name: string): void } => {
  const { stderr } = process
  if (!stderr.isTTY) return {}
  let [done, bad, journey] = [0, 0, '']
  const draw = (): void => {
    const filled = Math.round((done / Math.max(total, 1)) * WIDTH)
    const line = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${done} of ${total}${bad > 0 ? `, ${bad} failed` : ''}  ${journey}`
    stderr.write(`\r\u001b[K${line.slice(0, (stderr.columns ?? 80) - 1)}`)
  }
  return {
    onScenarioStart: name => {
      journey = name
      draw()
    },
    onResult: ({ verdict }) => {
      done += 1
      if (verdict === 'fail') bad += 1
      if (done === total) stderr.write('\r\u001b[K')
      else draw()
    },
  }
}
