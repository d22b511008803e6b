import { pino } from 'pino'
import type { JournalEntry } from '../journal/journal-entry.ts'
import type { Config } from '../options/options.ts'
import { resolvesWithin } from '../support/resolves-within.ts'
import { traceOf } from '../support/trace-context.ts'

/** Logger of a sandbox that writes JSON lines. */
export type Logger = ReturnType<typeof createLogger>

type Act = {
  by: string
  isTokenWrong?: boolean
  from?: string | undefined
  method: string
  path: string
  status: number
}

/** Bytes of lines that wait for one write, the most that Pino takes, and how long they wait: a write for each call would take 2 % of it. */
const BUFFER_BYTES = 15 * 1024
const FLUSH_EVERY_MS = 500
/** Bytes that wait at most for a reader that is behind; further lines are dropped. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024
/** How long the end waits for the last lines to be read. */
const LAST_LINES_MS = 2_000

/** Creates the logger of `--log json`: a JSON line for each event on stdout, with a line for each call at level info. */
export const createLogger = (level: Config['logLevel']) => {
  const destination = pino.destination({
    dest: 1,
    sync: false,
    minLength: BUFFER_BYTES,
    periodicFlush: FLUSH_EVERY_MS,
    maxLength: MOST_WAITING_BYTES,
  })
  dropUnwritable(destination)
  let isUnread = false
  const lines = { base: null, formatters: { level: levelMember }, timestamp: pino.stdTimeFunctions.isoTime }
  const log = pino({ ...lines, level }, destination)
  const audit = pino({ ...lines, level: 'info' }, destination)
  return {
    call: (entry: JournalEntry): void => log.info(accessOf(entry), 'call'),
    /** An act on control or portal, whatever the level; one with a wrong token, or without one that is needed, is a warning. */
    act: (act: Act): void => audit[act.isTokenWrong || act.status === 401 ? 'warn' : 'info'](act, 'act'),
    info: (text: string, facts: object = {}): void => log.info(facts, text),
    warn: (text: string): void => log.warn(text),
    error: (error: unknown, text?: string): void => log.error(error, text),
    /** Waits until all lines are written, but not for ever. */
    close: async (): Promise<void> => {
      const written = new Promise<void>(resolve => destination.flush(() => resolve()))
      isUnread = !(await resolvesWithin(written, LAST_LINES_MS, new AbortController().signal))
    },
    /** Whether lines were left when it was closed, as nobody reads them. */
    isUnread: () => isUnread,
  }
}

const levelMember = (level: string) => ({ level })

/**
 * Lets lines wait, and in the end be dropped, where they cannot be written, as on a full disk: the sandbox serves on. The
 * last flush at the exit would try for ever.
 */
const dropUnwritable = (destination: ReturnType<typeof pino.destination>): void => {
  let isWritable = true
  destination.on('error', () => {
    isWritable = false
  })
  destination.on('write', () => {
    isWritable = true
  })
  const flushSync = destination.flushSync.bind(destination)
  destination.flushSync = () => void (isWritable && flushSync())
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
