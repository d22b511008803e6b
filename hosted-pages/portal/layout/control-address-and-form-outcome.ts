import type { Context } from 'hono'
import { type FormOutcome, readMessage } from '../forms/form-message.ts'
import { inWordsOfForm } from '../forms/refusal-in-words-of-form.ts'

/**
 * Data of the request that a portal page shows: the address of control, and the outcome of the form that led to the
 * page.
 */
export type PageRequestData = FormOutcome & {
  /** The origin at which the caller reaches the pages and control: no slash at the end. */
  origin: string
  /** Whether calls of control must show a token. */
  withToken: boolean
  /** What was typed into a refused form, to be shown again. */
  typed: Readonly<Record<string, string>>
  /** The field for which a form was refused, where the refusal names one. */
  wrong?: string | undefined
  /** The types that were checked in a refused form. */
  types?: readonly string[]
}

/** The public address of the pages, and whether they require a control token. */
export type PortalAddress = { access: { isWanted: boolean; pagesUrl?: string | undefined } }

/** Reads from a request the data that a portal page shows of it, such as the address of control. */
export const pageRequestData = (
  c: Context,
  { access }: PortalAddress,
  form: Partial<PageRequestData> = {},
): PageRequestData => ({
  origin: access.pagesUrl ?? new URL(c.req.url).origin,
  withToken: access.isWanted,
  done: readMessage(c.req.query('done')),
  typed: {},
  ...inWordsOfForm(form),
})
