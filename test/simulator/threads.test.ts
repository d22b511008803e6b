import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { serveReady } from '../support/serve.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test.runIf(process.platform === 'linux')('serve takes as many threads for signatures as there are cores', async () => {
  const { child } = await serveReady(temporaryFolder(), [], { UV_THREADPOOL_SIZE: undefined })
  const tasks = `/proc/${child.pid}/task`
  const names = readdirSync(tasks).map(task => readFileSync(`${tasks}/${task}/comm`, 'utf8').trim())
  expect(names.filter(name => name === 'libuv-worker')).toHaveLength(Math.max(2, availableParallelism()))
})
