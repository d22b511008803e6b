import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A public mock server: its npm package, and the command that starts it with one stubbed response. */
export type MockServer = {
  name: string
  /** Package of the npm registry in the measured version; never a dependency of this project. */
  package: string
  version: string
  /** Program that must be installed besides Node. */
  needs?: string
  /** Writes its settings; returns the command line that starts it. */
  command(place: Place): string[]
}

/** Values for a start command: `module` is the package's folder, `folder` takes settings, `spare` is an admin port. */
type Place = { module: string; folder: string; port: number; spare: number }

export const STUB_PATH = '/payments/initiate'
const ANSWER = { transactionId: '5e8d9f3c-7f63-4c1b-9d3f-0c8f7c1b2a10', status: 'PENDING' }
const BODY = JSON.stringify(ANSWER)
const TYPE = { 'Content-Type': 'application/json' }

/** Public mock servers to compare with: one stubbed response over plain HTTP, request logs off. */
export const MOCK_SERVERS: readonly MockServer[] = [
  {
    name: 'Prism',
    package: '@stoplight/prism-cli',
    version: '5.16.0',
    command: ({ module, folder, port }) => {
      const json = (content: object) => ({ content: { 'application/json': content } })
      const responses = { 200: { description: 'Begun', ...json({ example: ANSWER }) } }
      const post = { requestBody: json({ schema: { type: 'object' } }), responses }
      const info = { title: 'One stub', version: '1' }
      const file = written(folder, 'openapi.json', { openapi: '3.1.0', info, paths: { [STUB_PATH]: { post } } })
      const own = ['mock', '--host', '127.0.0.1', '--port', String(port), '--verboseLevel', 'error', file]
      return [process.execPath, join(module, 'dist/index.js'), ...own]
    },
  },
  {
    name: 'Mockoon',
    package: '@mockoon/cli',
    version: '9.9.0',
    command: ({ module, folder, port }) => {
      const file = written(folder, 'mockoon.json', mockoonEnvironment(port))
      const own = ['start', '--data', file, '--port', String(port), '--disable-log-to-file']
      return [process.execPath, join(module, 'bin/run.js'), ...own]
    },
  },
  {
    name: 'WireMock',
    package: 'wiremock',
    version: '3.13.2',
    needs: 'java',
    command: ({ module, folder, port }) => {
      const request = { method: 'POST', url: STUB_PATH }
      written(folder, 'mappings/one.json', { request, response: { status: 200, headers: TYPE, body: BODY } })
      const jar = join(module, 'build/wiremock-standalone-3.13.2.jar')
      const own = ['--port', String(port), '--bind-address', '127.0.0.1', '--root-dir', folder]
      return ['java', '-jar', jar, ...own, '--no-request-journal', '--disable-banner']
    },
  },
  {
    name: 'Mountebank',
    package: '@mbtest/mountebank',
    version: '2.9.2',
    command: ({ module, folder, port, spare }) => {
      const headers = { ...TYPE, Connection: 'keep-alive' } // it closes every connection unless told so
      const stubs = [{ responses: [{ is: { statusCode: 200, headers, body: BODY } }] }]
      const file = written(folder, 'imposters.json', { imposters: [{ port, protocol: 'http', stubs }] })
      const own = ['--configfile', file, '--port', String(spare), '--localOnly', '--nologfile', '--loglevel', 'error']
      return [process.execPath, join(module, 'bin/mb'), 'start', ...own, '--pidfile', join(folder, 'mountebank.pid')]
    },
  },
]

const written = (folder: string, name: string, content: object): string => {
  const file = join(folder, name)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, JSON.stringify(content))
  return file
}

const mockoonEnvironment = (port: number) => ({
  uuid: 'b4a54e0c-4b3f-4e57-9a31-0f6a0f1f0001',
  lastMigration: 33,
  name: 'One stub',
  port,
  hostname: '127.0.0.1',
  rootChildren: [{ type: 'route', uuid: 'b4a54e0c-4b3f-4e57-9a31-0f6a0f1f0002' }],
  routes: [
    {
      uuid: 'b4a54e0c-4b3f-4e57-9a31-0f6a0f1f0002',
      type: 'http',
      method: 'post',
      endpoint: STUB_PATH.slice(1),
      responses: [
        {
          uuid: 'b4a54e0c-4b3f-4e57-9a31-0f6a0f1f0003',
          statusCode: 200,
          headers: [{ key: 'Content-Type', value: 'application/json' }],
          bodyType: 'INLINE',
          body: BODY,
          rules: [],
          disableTemplating: true,
          default: true,
        },
      ],
    },
  ],
})
