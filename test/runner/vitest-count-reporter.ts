import type { Reporter } from 'vitest/node'

/** Reporter of vitest: ends a run with one plain line of counts: passed, failed, skipped. */
export const countReporter: Reporter = {
  onTestRunEnd(modules) {
    const states = modules.flatMap(module => Array.from(module.children.allTests(), test => test.result().state))
    const count = (...wanted: string[]) => states.filter(state => wanted.includes(state)).length
    const skipped = count('skipped', 'pending')
    console.log(`${count('passed')} passed, ${count('failed')} failed${skipped ? `, ${skipped} skipped` : ''}`)
  },
}
