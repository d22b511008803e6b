import fc from 'fast-check'
import { openConnection, type RawResponse } from '../../support/raw-http.ts'
import { identityOf } from '../../support/raw-request-sandbox.ts'
import { nearly } from '../edited-text.ts'
import { reportedErrors } from '../fuzz-fixture.ts'
import { fuzzTarget } from '../fuzz-target.ts'
import { collectResponses } from '../read-http-responses.ts'
import { apiResponseProblem } from '../response-checks.ts'

type Input = { port: 'api' | 'pages'; bytes: string }

const LINES = ['Host: localhost', 'Content-Type: application/json', 'Idempotency-Key: k']
const head = (line: string, ...more: string[]): string => `${[line, ...LINES, ...more].join('\r\n')}\r\n\r\n`

const SAMPLES = [
  head('GET /.well-known/jwks.json HTTP/1.1'),
  head('GET /payments/nobody/status HTTP/1.1', 'Authorization: Bearer x'),
  `${head('POST /payments/initiate HTTP/1.1', 'Content-Length: 2')}{}`,
  `${head('POST /payments/initiate HTTP/1.1', 'Transfer-Encoding: chunked')}2;x=y\r\n{}\r\n0\r\nTrailer: x\r\n\r\n`,
  `${head('POST /payments/search HTTP/1.1', 'Content-Length: 2', 'Transfer-Encoding: chunked')}2\r\n{}\r\n0\r\n\r\n`,
  `${head('POST /payments/initiate HTTP/1.1', 'Expect: 100-continue', 'Content-Length: 2')}{}`,
  head('GET / HTTP/1.1') + head('GET /portal HTTP/1.1') + head('GET /health HTTP/1.1'),
  head('GET /blik HTTP/1.0', 'Connection: keep-alive'),
  head('OPTIONS * HTTP/1.1'),
  head('CONNECT localhost:443 HTTP/1.1'),
  head('GET /control/journal HTTP/1.1', 'Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Key: x'),
  head('GET http://localhost/portal?a=b HTTP/1.1', ' folded: line', 'X: a\tb'),
]

const PIECES = [
  ...[
    '\r\n',
    '\r',
    '\n',
    '\r\n\r\n',
    '\n\n',
    ' HTTP/1.1',
    ' HTTP/2.0',
    ' HTTP/9.9',
    'GET ',
    'POST ',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'BREW ',
  ],
  ...[
    'Transfer-Encoding: chunked\r\n',
    'Transfer-Encoding: gzip, chunked\r\n',
    'Content-Length: 5\r\n',
    'Content-Length: +2\r\n',
    'Content-Length: 2, 2\r\n',
  ],
  ...[
    'Host: a\r\n',
    'Host:\r\n',
    'Expect: x\r\n',
    'Connection: close\r\n',
    'ffffffffffffffff\r\n',
    '0\r\n\r\n',
    '5\r\nhello\r\n',
    '\x16\x03\x01',
    ': ',
    ' :',
    '\r\n ',
    'X'.repeat(300),
  ],
]

/** Fuzz target: raw bytes sent as HTTP; every response is complete, and the connection ends. */
export const rawHttp = fuzzTarget<Input>({
  name: 'raw',
  sends: 'bytes over TLS and plain sockets: request lines, lengths, chunks, folds, pipelines',
  inputs: fc.record({
    port: fc.constantFrom('api', 'api', 'pages'),
    bytes: nearly(SAMPLES, PIECES, 40_000).map(text => text.replaceAll(/[^\0-\xff]/g, '?')),
  }),
  covers: [
    'simulator/http/listen.ts',
    'simulator/http/collect-body.ts',
    'simulator/http/track-connections.ts',
    'simulator/http/respond-to-malformed-http.ts',
    'simulator/http/compose-api.ts',
    'simulator/http/layers/begin-call.ts',
    'simulator/http/layers/check-request-size-and-headers.ts',
    'simulator/startup/create-pages-and-control-handler.ts',
  ],
  few: 30,
  open: async fixture => {
    const sandbox = await fixture.guarded()
    const { simulator, apiPort, pagesPort } = sandbox
    return async ({ port, bytes }) => {
      const socket =
        port === 'api'
          ? openConnection(apiPort, { identity: identityOf(simulator.kit) })
          : openConnection(pagesPort, { plain: true })
      socket.write(Buffer.from(bytes, 'latin1'))
      socket.write(FILLING)
      const answers = await collectResponses(socket, /^HEAD /m.test(bytes))
      for (const answer of answers) {
        const fault = port === 'api' ? await apiResponseProblem(answer, sandbox) : pagesFaultOf(answer)
        if (fault) return fault
      }
      return reportedErrors(sandbox)
    }
  },
})

/** Blank lines end what was begun and fill short bodies; the last request asks for the end of the connection. */
const FILLING = `${'\r\n'.repeat(4_000)}GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`

const pagesFaultOf = ({ status }: RawResponse): string | undefined =>
  status >= 500 ? `the pages answer ${status}` : undefined
