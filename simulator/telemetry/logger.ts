import { pino } from 'pino'
import type { JournalEntry } from '../journal/journal-entry.ts'
import type { Config } from '../options/options.ts'
import type { Logger } from './telemetry.ts'
import { traceOf } from './trace-context.ts'

/** Bytes of lines that wait for one write, and how long they wait at most: a write for each call would take 2 % of it. */
const BUFFER_BYTES = 4096
const FLUSH_EVERY_MS = 500

/** Creates the logger of `--log json`: a JSON line for each event on stdout, with a line for each call at level info. */
export const createLogger = (level: Config['logLevel']): Logger => {
  const destination = pino.destination({ dest: 1, sync: false, minLength: BUFFER_BYTES, periodicFlush: FLUSH_EVERY_MS })
  const log = pino(
    {
      level,
      base: null,
      formatters: { level: name => ({ level: name }) },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination,
  )
  return {
    call: entry => log.info(accessOf(entry), 'call'),
    info: (text, facts = {}) => log.info(facts, text),
    warn: (text, facts = {}) => log.warn(facts, text),
    error: (error, text) => log.error(error, text),
    close: () => new Promise(resolve => destination.flush(() => resolve())),
  }
}

/** Facts of a call for its line: who called what, and how it ended; the target has no secrets. */
const accessOf = (entry: JournalEntry) => {
  const { callId, organizationId, operation, request, response, refused, durationMilliseconds } = entry
  return {
    callId,
    organizationId,
    operation,
    method: request.method,
    target: request.target,
    status: response.status,
    durationMilliseconds,
    layer: refused?.layer,
    reason: refused?.reason,
    ...traceOf(request.headers.traceparent),
  }
}
