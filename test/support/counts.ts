import type { Reporter } from 'vitest/node'

/** Ends a run with one plain line that says how many tests ran, for people and machines that read only the end. */
export const counts: Reporter = {
  onTestRunEnd(modules) {
    const states = modules.flatMap(module => Array.from(module.children.allTests(), test => test.result().state))
    const count = (...wanted: string[]) => states.filter(state => wanted.includes(state)).length
    const skipped = count('skipped', 'pending')
    console.log(`${count('passed')} passed, ${count('failed')} failed${skipped ? `, ${skipped} skipped` : ''}`)
  },
}
