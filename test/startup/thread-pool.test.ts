import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { startServe } from '../support/serve-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test.runIf(process.platform === 'linux')('serve sets the libuv thread pool to the number of cores', async () => {
  const { child } = await startServe(temporaryFolder(), [], { UV_THREADPOOL_SIZE: undefined })
  const tasks = `/proc/${child.pid}/task`
  const names = readdirSync(tasks).map(task => readFileSync(`${tasks}/${task}/comm`, 'utf8').trim())
  expect(names.filter(name => name === 'libuv-worker')).toHaveLength(Math.max(2, availableParallelism()))
})
