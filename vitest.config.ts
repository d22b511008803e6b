import { configDefaults, defineConfig } from 'vitest/config'
import { counts } from './test/support/counts.ts'
import { isOverPostgres, leftOutOverPostgres } from './test/support/not-over-postgres.ts'
import { leftOut } from './test/support/slow-files.ts'

/** Tests that put something in the place of a module, or count what a process holds: they have one for themselves. */
const ALONE = [
  'test/security/comparisons.test.ts',
  'test/security/rebinding.test.ts',
  'test/simulator/close-while-spoiled.test.ts',
]

const exclude = [...configDefaults.exclude, ...leftOut(), ...leftOutOverPostgres()]

/** Each simulator of a test makes a schema of its own there. */
const PATIENCE = isOverPostgres ? 4 : 1

export default defineConfig({
  test: {
    setupFiles: ['test/support/check-control.ts'],
    testTimeout: PATIENCE * 20_000,
    hookTimeout: PATIENCE * 30_000,
    maxWorkers: 2,
    reporters: ['default', counts],
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...exclude, ...ALONE],
          isolate: false, // a third of the time went into loading the same modules anew for each file
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE, exclude } },
    ],
  },
})
