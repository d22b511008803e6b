import type { Reporter } from 'vitest/node'

/** Reporter of vitest: names the tests that passed at the second attempt, and ends a run with one plain line of counts. */
export const countReporter: Reporter = {
  onTestRunEnd(modules) {
    const tests = modules.flatMap(module => Array.from(module.children.allTests()))
    const states = tests.map(test => test.result().state)
    for (const test of tests)
      if (test.diagnostic()?.flaky)
        console.log(`Passed at the second attempt: ${test.module.relativeModuleId} > ${test.fullName}`)
    const count = (...wanted: string[]) => states.filter(state => wanted.includes(state)).length
    const skipped = count('skipped', 'pending')
    console.log(`${count('passed')} passed, ${count('failed')} failed${skipped ? `, ${skipped} skipped` : ''}`)
  },
}
