import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFilesFirst } from './test/runner/longest-files-first.ts'
import { excludedOverPostgres, isOverPostgres } from './test/runner/postgres-exclusions.ts'
import { countReporter } from './test/runner/vitest-count-reporter.ts'

/** Test files that replace a module or count resources of the process: they run isolated from other files. */
const ALONE = [
  'test/conformance/resume.test.ts',
  'test/conformance/waits-for-webhooks.test.ts',
  'test/security/constant-time-comparison.test.ts',
  'test/security/webhook-dns-rebinding.test.ts',
  'test/shutdown/close-during-response-faults.test.ts',
  'test/simulation/seeded-simulation-and-planted-faults.test.ts',
]

const exclude = [...configDefaults.exclude, ...excludedOverPostgres()]

/** Factor of the time limits over PostgreSQL, where each simulator of a test creates its own schema. */
const PATIENCE = isOverPostgres ? 4 : 1

export default defineConfig({
  test: {
    setupFiles: ['test/runner/fix-property-test-seed.ts', 'test/runner/setup-control-response-validation.ts'],
    globalSetup: 'test/runner/create-run-folder.ts',
    // Hangs end here; a busy machine must not.
    testTimeout: PATIENCE * 60_000,
    hookTimeout: PATIENCE * 60_000,
    expect: { poll: { timeout: PATIENCE * 30_000 } },
    retry: 1, // one second attempt on a machine that is busy with other work; the last lines name each test that needed it
    maxWorkers: 6, // four leave the processors idle while they wait for processes, browsers and clocks
    sequence: { sequencer: LongestFilesFirst },
    reporters: ['default', countReporter],
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...exclude, ...ALONE],
          isolate: false, // a third of the time went into loading the same modules anew for each file
          experimental: { viteModuleRunner: false, nodeLoader: false }, // Node's own loader takes a tenth off a run
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE, exclude } },
    ],
  },
})
