import { configDefaults, defineConfig } from 'vitest/config'
import { counts } from './test/support/counts.ts'
import { leftOut } from './test/support/slow-files.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...leftOut()],
    setupFiles: ['test/support/check-control.ts'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
    reporters: ['default', counts],
  },
})
