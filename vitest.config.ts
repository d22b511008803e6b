import { configDefaults, defineConfig } from 'vitest/config'
import { counts } from './test/support/counts.ts'
import { leftOut } from './test/support/slow-files.ts'

/** Tests that put something in the place of a module, and so have the modules for themselves. */
const MOCKING = ['test/security/comparisons.test.ts', 'test/security/rebinding.test.ts']

const exclude = [...configDefaults.exclude, ...leftOut()]

export default defineConfig({
  test: {
    setupFiles: ['test/support/check-control.ts'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    reporters: ['default', counts],
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...exclude, ...MOCKING],
          isolate: false, // a third of the time went into loading the same modules anew for each file
        },
      },
      { extends: true, test: { name: 'mocking', include: MOCKING, exclude } },
    ],
  },
})
