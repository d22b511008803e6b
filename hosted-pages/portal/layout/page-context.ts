import type { Context } from 'hono'
import { html } from 'hono/html'
import type { Html } from '../../layout.ts'

/** Data of the request that a page shows: the address of control, and the result of the form that led here. */
export type PageContext = {
  /** The origin at which the caller reaches the pages and control: no slash at the end. */
  origin: string
  /** Whether calls of control must show a token. */
  withToken: boolean
  /** What has just been done, in a sentence. */
  done?: string | undefined
  /** Why a form was refused and what helps, in a sentence. */
  refused?: string | undefined
  /** What was typed into a refused form, to be shown again. */
  typed: Readonly<Record<string, string>>
}

/** Messages after a form, by the name that the address carries; nothing else gets from the address into the page. */
// biome-ignore format: a table reads by its columns
const MESSAGES = {
  'organization-created':  'The organization is there. Its kit is ready.',
  'key-registered':        'The key is registered and signs from now on, beside the others.',
  'key-deregistered':      'The key is deregistered: nothing that it signs is accepted any more.',
  'certificate-issued':    'The certificate is issued and trusted from now on.',
  'certificate-trusted':   'The certificate is trusted from now on.',
  'certificate-revoked':   'The certificate is revoked.',
  'kit-renewed':           'The kit has a new key and certificate: download it now.',
  'endpoint-added':        'The endpoint is added. Copy its secret to your server, then send a test.',
  'endpoint-changed':      'The endpoint is changed.',
  'endpoint-deleted':      'The endpoint is deleted.',
  'secret-rotated':        'A new secret signs from now on.',
  'replayed':              'They are on their way: see the deliveries below.',
  'resent':                'It goes out once more.',
  'test-sent':             'A test is on its way to the endpoint.',
  'inbox-cleared':         'The inbox is empty.',
  'day-finished':          'The day is over: its reports are in the list.',
  'capabilities-set':      'Saved: the next call obeys it.',
  'mock-set':              'The mock is set.',
} as const

export type DoneMessage = keyof typeof MESSAGES

/** Returns the address of a page with the message that the page is to show. */
export const withMessage = (path: string, done: DoneMessage): string => `${path}?done=${done}`

/** The public address of the pages, and whether they require a control token. */
export type PortalAddress = { access: { isWanted: boolean; pagesUrl?: string | undefined } }

export const pageContext = (c: Context, { access }: PortalAddress, form: Partial<PageContext> = {}): PageContext => ({
  origin: access.pagesUrl ?? new URL(c.req.url).origin,
  withToken: access.isWanted,
  done: Object.entries(MESSAGES).find(([name]) => name === c.req.query('done'))?.[1],
  typed: {},
  ...form,
})

/** Returns the message with the result of a form; empty where none was submitted. */
export const formMessage = ({ done, refused }: PageContext): Html | '' => {
  if (refused !== undefined)
    return html`<p class="outcome bad" role="alert" data-testid="portal-refused">${refused}</p>`
  return done ? html`<p class="outcome good" role="status" data-testid="portal-done">${done}</p>` : ''
}
