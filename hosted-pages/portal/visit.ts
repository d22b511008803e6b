import type { Context } from 'hono'
import { sayFor } from '../say-for.ts'
import type { Say, TextKey } from '../texts.ts'
import type { PortalPort } from './port.ts'

/** One call of one page: in which language, from where, and what came of the form that led here. */
export type Visit = {
  say: Say
  /** Where the caller reaches the pages and control: no slash at the end. */
  origin: string
  /** Whether calls of control must show a token. */
  withToken: boolean
  /** What has just been done. */
  done?: TextKey | undefined
  /** Why it could not be done, and the cure. */
  refused?: string | undefined
  /** What was typed in, to be shown again. */
  typed: Readonly<Record<string, string>>
}

/** What a page may say to have been done: the address names it, and nothing else gets from there into the page. */
// biome-ignore format: a table reads by its columns
const DONE = {
  'organization-created':  'doneOrganization',
  'key-registered':        'doneKey',
  'key-deregistered':      'doneKeyEnded',
  'certificate-issued':    'doneIssued',
  'certificate-trusted':   'doneTrusted',
  'certificate-revoked':   'doneRevoked',
  'kit-renewed':           'doneKit',
  'endpoint-added':        'doneEndpoint',
  'endpoint-changed':      'doneEndpointChanged',
  'endpoint-deleted':      'doneEndpointDeleted',
  'secret-rotated':        'doneRotated',
  'replayed':              'doneReplayed',
  'resent':                'doneResent',
  'test-sent':             'doneTested',
  'inbox-cleared':         'doneCleared',
  'day-finished':          'doneDay',
  'capabilities-set':      'doneCapabilities',
  'mock-set':              'doneMock',
} as const satisfies Record<string, TextKey>

export type Done = keyof typeof DONE

/** The address that says what was done there. */
export const withDone = (path: string, done: Done): string => `${path}?done=${done}`

export const visitOf = (c: Context, { access }: Pick<PortalPort, 'access'>, form: Partial<Visit> = {}): Visit => ({
  say: sayFor(c),
  origin: access.pagesUrl ?? new URL(c.req.url).origin,
  withToken: access.isWanted,
  done: Object.entries(DONE).find(([word]) => word === c.req.query('done'))?.[1],
  typed: {},
  ...form,
})
